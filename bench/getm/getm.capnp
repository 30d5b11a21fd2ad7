@0xd7c1f0a2b3948e65;
using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("bench_capnp");

struct GetM {
  id @0 :UInt32;
  keys @1 :List(Text);
  vals @2 :List(Data);
}
