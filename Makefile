# The short way in. Meson does the work; see meson.build and CONTRIBUTING.md.
#   make demo | test | bench | install | format | clean      BUILD=folder, MESON_FLAGS=options
BUILD ?= build
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

# make install [PREFIX=/usr/local] [DESTDIR=...]
install: build
	@$(if $(PREFIX),meson configure $(BUILD) --prefix=$(abspath $(PREFIX)) &&) meson install -C $(BUILD)
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig

format:
	@scripts/format.sh --fix

clean:
	@rm -rf $(BUILD) out
