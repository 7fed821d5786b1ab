#!/bin/sh
# Verifies a webhook of Parley with openssl, for a look from the command line. The secret is visible in the list of processes meanwhile.
# WEBHOOK_SECRET=whsec_... sh verify.sh "$X_SERVICE_SIGNATURE" body.json
set -eu
header=$1
body=$2

time=$(printf '%s' "$header" | tr ',' '\n' | sed -n 's/^ *t=\([0-9]\{1,12\}\)$/\1/p')
[ -n "$time" ] || exit 1
age=$(($(date +%s) - time))
[ "${age#-}" -le 300 ] || exit 1

expected=$({ printf '%s.' "$time"; cat "$body"; } | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/^.* //')
# While a secret is rotated there are two signatures; one that fits is enough.
printf '%s' "$header" | tr ',' '\n' | sed -n 's/^ *v1=//p' | grep -qxF "$expected"
