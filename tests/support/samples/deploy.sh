#!/usr/bin/env bash
set -euo pipefail
source ./lib/common.sh

readonly TARGET="prod"
export REGION=eu

# Builds the image.
build_image() {
  local tag=$1
  docker build -t "$tag" .
}

function push_image {
  build_image "$TARGET"
  retry 3 push
}

main() { push_image "$@"; }

main "$@"
