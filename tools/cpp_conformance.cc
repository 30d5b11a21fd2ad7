// What protobuf's C++ library says to the requests of the conformance runner, for comparison with tern-conformance.
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver_util.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "conformance.pb.h"
#include "test_messages_proto2.pb.h"
#include "test_messages_proto3.pb.h"

namespace pb = google::protobuf;
using conformance::ConformanceRequest;
using conformance::ConformanceResponse;

namespace {

const char prefix[] = "type.googleapis.com";

class Peer {
  public:
    Peer() : resolver_(pb::util::NewTypeResolverForDescriptorPool(prefix, pb::DescriptorPool::generated_pool())) {
        pb::LinkMessageReflection<protobuf_test_messages::proto2::TestAllTypesProto2>();
        pb::LinkMessageReflection<protobuf_test_messages::proto3::TestAllTypesProto3>();
    }

    ConformanceResponse Answer(const ConformanceRequest &request) {
        ConformanceResponse response;
        auto *type = pb::DescriptorPool::generated_pool()->FindMessageTypeByName(request.message_type());
        if (!type) {
            response.set_skipped("unknown type");
            return response;
        }
        std::unique_ptr<pb::Message> msg(pb::MessageFactory::generated_factory()->GetPrototype(type)->New());
        if (Parse(request, msg.get()))
            Write(request, *msg, &response);
        else
            response.set_parse_error("it does not parse");
        return response;
    }

  private:
    static std::string Url(const pb::Message &msg) {
        return std::string(prefix) + "/" + msg.GetDescriptor()->full_name();
    }

    // JSON goes through the binary format, as in the library's own functions.
    bool Parse(const ConformanceRequest &request, pb::Message *msg) {
        if (request.has_protobuf_payload()) return msg->ParseFromString(request.protobuf_payload());
        if (request.has_text_payload()) return pb::TextFormat::ParseFromString(request.text_payload(), msg);
        std::string binary;
        pb::util::JsonParseOptions options;
        options.ignore_unknown_fields = request.test_category() == conformance::JSON_IGNORE_UNKNOWN_PARSING_TEST;
        return pb::util::JsonToBinaryString(resolver_.get(), Url(*msg), request.json_payload(), &binary, options)
                   .ok() &&
               msg->ParseFromString(binary);
    }

    void Write(const ConformanceRequest &request, const pb::Message &msg, ConformanceResponse *response) {
        if (request.requested_output_format() == conformance::PROTOBUF) {
            msg.SerializeToString(response->mutable_protobuf_payload());
        } else if (request.requested_output_format() == conformance::JSON) {
            auto status = pb::util::BinaryToJsonString(resolver_.get(), Url(msg), msg.SerializeAsString(),
                                                       response->mutable_json_payload());
            if (!status.ok()) response->set_serialize_error(status.ToString());
        } else {
            pb::TextFormat::Printer printer;
            printer.SetHideUnknownFields(!request.print_unknown_fields());
            printer.PrintToString(msg, response->mutable_text_payload());
        }
    }

    std::unique_ptr<pb::util::TypeResolver> resolver_;
};

} // namespace

int main() {
    Peer peer;
    uint32_t length;
    while (fread(&length, sizeof length, 1, stdin) == 1) {
        std::string data(length, '\0');
        ConformanceRequest request;
        if (fread(&data[0], 1, length, stdin) != length || !request.ParseFromString(data)) return 1;
        data = peer.Answer(request).SerializeAsString();
        length = static_cast<uint32_t>(data.size());
        fwrite(&length, sizeof length, 1, stdout);
        fwrite(data.data(), 1, data.size(), stdout);
        fflush(stdout);
    }
    return 0;
}
