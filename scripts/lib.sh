# Shared by the scripts beside it; source it from the repository's root. Nothing here prints unless there is something
# to do, and nothing asks questions.

say() { printf '== %s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

target_dir=${CARGO_TARGET_DIR:-target}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo -n "$@" || die "'$*' needs root and sudo would ask for a password: run it yourself, then run this again"
    else
        die "'$*' needs root: run it as root, then run this again"
    fi
}

have_apt() { command -v apt-get >/dev/null; }

# Whether the package lists know an installable version of a package.
apt_knows() { [ -n "$(apt-cache policy "$1" 2>/dev/null | sed -n '/Candidate: [^(]/p')" ]; }

apt_update() {
    say "updating the package lists"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update >/dev/null
}

# Installs the first of the named packages that the distribution has.
apt_install_first_of() {
    local package attempt
    have_apt || die "this is no Debian system: install one of $* yourself, then run this again"
    for attempt in 1 2; do
        for package in "$@"; do
            apt_knows "$package" || continue
            say "installing $package"
            if as_root env DEBIAN_FRONTEND=noninteractive \
                apt-get -qq install -y --no-install-recommends "$package" >/dev/null; then
                return
            fi
            break
        done
        # No lists yet, or lists so old that what they name is gone.
        [ "$attempt" -eq 1 ] && apt_update
    done
    die "cannot install any of: $*"
}

need_rust() {
    if ! command -v cargo >/dev/null && [ -x "$HOME/.cargo/bin/cargo" ]; then
        PATH=$HOME/.cargo/bin:$PATH
    fi
    command -v cargo >/dev/null || die "cargo is not on the PATH: install Rust first (rustup or your distribution)"
    # Rust links with the system's C compiler.
    if ! command -v cc >/dev/null; then
        apt_install_first_of gcc
        [ -e /usr/include/stdio.h ] || apt_install_first_of libc6-dev
    fi
}

# A JDK: JAVA_HOME's, or the one of java on the PATH, if it can compile; else the distribution's.
need_jdk() {
    [ -n "${JAVA_HOME:-}" ] && [ -x "$JAVA_HOME/bin/javac" ] && return
    command -v java >/dev/null && [ -x "$(dirname "$(readlink -f "$(command -v java)")")/javac" ] && return
    apt_install_first_of openjdk-17-jdk-headless default-jdk-headless
}

# Maven with the plugins that an offline build of a plugin and of a tested project takes, from the distribution.
need_maven() {
    local package plugin plugins=/usr/share/maven-repo/org/apache/maven/plugins missing=
    for plugin in plugin resources compiler jar install surefire; do
        [ -d "$plugins/maven-$plugin-plugin" ] || missing=yes
    done
    [ -z "$missing" ] && [ -e /usr/share/maven-repo/junit/junit ] && command -v mvn >/dev/null && return
    for package in maven libmaven-plugin-tools-java libmaven-resources-plugin-java libmaven-compiler-plugin-java \
        libmaven-jar-plugin-java libmaven-install-plugin-java libsurefire-java junit4; do
        apt_install_first_of "$package"
    done
}

# A tool that comes with Rust but may be left out of a small installation.
have_component() {
    cargo "$1" --version >/dev/null 2>&1 && return
    command -v rustup >/dev/null || return 1
    say "adding the Rust component $2"
    rustup component add "$2" >/dev/null 2>&1
}
