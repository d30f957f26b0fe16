#!/bin/sh
# What the tests need beside Python: LibreOffice, fonts, Chromium, Node's npm. Installed where that is allowed (Debian as root);
# elsewhere each missing one is named, and the tests that need it are skipped with that reason (under CI=true they fail).
set -eu
missing=""
need() { # program, Debian package
  command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}
need soffice libreoffice-writer
need localc libreoffice-calc
ls /usr/lib/libreoffice/program/libsmlo.so >/dev/null 2>&1 || missing="$missing libreoffice-math"
need pdftoppm poppler-utils
need chromium chromium
need npm npm
font() { # family, Debian package
  fc-list 2>/dev/null | grep -qi "$1" || missing="$missing $2"
}
font "Liberation Sans" fonts-liberation
font "DejaVu Sans" fonts-dejavu-core
font "Carlito" fonts-crosextra-carlito
font "Caladea" fonts-crosextra-caladea
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing:$missing"
  apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
  echo "not installed, so some tests are skipped:$missing (on Debian or Ubuntu: sudo apt-get install$missing)"
fi
