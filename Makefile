# The short way in. Meson does the work; see meson.build and CONTRIBUTING.md.
#   make demo | test | bench | install | format | clean      BUILD=folder, RELEASE=folder, MESON_FLAGS=options
BUILD ?= build
RELEASE ?= build-release
MESON_FLAGS ?=

.PHONY: all setup build demo test bench install format clean

all: build

# Installs what is missing from Debian's packages; asks nothing and says what it does.
setup:
	@scripts/setup.sh

$(BUILD)/build.ninja: | setup
	@meson setup $(BUILD) --prefix=/usr/local $(MESON_FLAGS)

build: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

# The main job: a real directory stored, served, verified and loaded over shm and UDP.
demo: build
	@scripts/demo.sh $(BUILD)

test: build
	@scripts/test.sh $(BUILD)

bench: build
	@scripts/bench.sh $(BUILD)

# make install [PREFIX=/usr/local] [DESTDIR=...]: a release build, in a folder of its own, of what is installed and no more.
# Elsewhere a program's gravest mistakes with buffers end it; here they are counted (tern_mem_stats).
install: setup
	@[ -f $(RELEASE)/build.ninja ] || meson setup $(RELEASE) --prefix=/usr/local -Db_ndebug=true -Dtests=false -Dbench=false $(MESON_FLAGS)
	@$(if $(PREFIX),meson configure $(RELEASE) --prefix=$(abspath $(PREFIX)) &&) meson install -C $(RELEASE)
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig

format:
	@scripts/format.sh --fix

clean:
	@rm -rf $(BUILD) $(RELEASE) out
