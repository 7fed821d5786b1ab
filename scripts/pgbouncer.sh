#!/usr/bin/env bash
# Prints the path of a PgBouncer 1.21 or later for tests and benchmarks: the installed one, or one that is built from
# Debian's source in the folder given (default: ~/.cache/parley-pgbouncer). Debian 12 packages 1.18, which is too old.
# Building needs gcc, make, pkg-config and libevent-dev.
set -euo pipefail
version=1.24.1
sum=da72a3aba13072876d055a3e58dd4aba4a5de4ed6148e73033185245598fd3e0
folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/parley-pgbouncer}

is_new() { "$1" --version 2>/dev/null | grep -qE '^PgBouncer (1\.(2[1-9]|[3-9][0-9])|[2-9])'; }

for known in "$(command -v pgbouncer || true)" "$folder/pgbouncer"; do
  if [ -n "$known" ] && is_new "$known"; then echo "$known"; exit 0; fi
done
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
  # From whichever mirror this machine's apt uses.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -E '/debian/?$' | head -1)
  curl -fsS -m 120 -o "$work/source.tar.gz" "${mirror%/}/pool/main/p/pgbouncer/pgbouncer_$version.orig.tar.gz"
  echo "$sum  $work/source.tar.gz" | sha256sum -c -
  tar -xzf "$work/source.tar.gz" -C "$work"
  cd "$work/pgbouncer-$version"
  ./configure --without-openssl --without-cares
  make -j2 pgbouncer
} >"$work/log" 2>&1 || { tail -5 "$work/log" >&2; exit 1; }
cp pgbouncer "$folder/pgbouncer"
echo "$folder/pgbouncer"
