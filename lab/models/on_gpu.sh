#!/usr/bin/env bash
# The stages in which the next bundled models are made on a machine with one GPU, each within ten minutes:
#
#     bash lab/models/on_gpu.sh choices|teachers|students|seeds DATA OUT
#
# DATA is what lab/models/prepare_training.py wrote; OUT gets what is to be taken home, as it comes. Nothing must be
# installed but PyTorch and what training needs beside it. lab/models/README.md says what each stage is for.
#
#     CONSTITUENTS=ends|local|crf   how models find constituents (teachers, students)
#     WORDS=plain|vectors           whether teachers have vectors beside (lab/work/vectors)
#     SEEDS=1,2                     seeds of teachers and students
#     MINUTES=8.6  PROCESSES=14     minutes for the stage, trainings side by side
#     EXPERIMENTS=lab/grids         the grids; those in DATA/grids for a rehearsal
set -uo pipefail
stage=$1 data=$2 out=$3
constituents=${CONSTITUENTS:-ends} words=${WORDS:-plain} seeds=${SEEDS:-1,2}
minutes=${MINUTES:-8.6} processes=${PROCESSES:-14} experiments=${EXPERIMENTS:-lab/grids}
wheels=$(printf ':%s' "$data"/wheels/*.whl)
export PYTHONPATH=src:lab$wheels PYTHONUNBUFFERED=1
mkdir -p "$out" lab/work/logs

# With MPS, small trainings share the GPU instead of taking turns; where it does not work, it must not stay on.
if command -v nvidia-cuda-mps-control >/dev/null && nvidia-cuda-mps-control -d 2>/dev/null; then
  if ! timeout 60 python3 -c 'import torch; torch.zeros(8, device="cuda").sum().item()' 2>/dev/null; then
    echo quit | nvidia-cuda-mps-control
    echo "MPS does not work here"
  fi
fi

share() { python3 -c "print(round($minutes * $1, 2))"; }

run() {
  python3 -m permutree_lab run "$@" --experiments "$experiments" --treebanks "$data" --work lab/work \
    --results lab/results --minutes "$minutes" --discard-models 2>&1
}

bundled() { python3 lab/models/train_bundled.py "$1" "$data" "${@:2}" --experiments "$experiments" 2>&1; }

# Results of cells go to OUT as they come.
keep() {
  case $stage in choices | seeds) cp lab/results/{spans,choices,teaching}.jsonl "$out"/ 2>/dev/null ;; esac
}
while sleep 15; do keep; done &
keeper=$!
trap 'kill $keeper 2>/dev/null; keep; tar -cJf "$out/logs.tar.xz" lab/work/logs 2>/dev/null' EXIT

case $stage in
choices)
  bundled silver --jobs 2 >"$out/silver.log" &
  first=$!
  run spans --processes 4 --only seed=1 --only treebank=alpino,squoia_de --only change=ends,local,crf &
  second=$!
  run choices --processes $(((processes - 4) / 2)) --only seed=1 --only treebank=de-taught,nl-taught \
    --only 'change=spans; local,spans; crf,spans; local; order noise,characters by BiLSTM,2 layers of 224' &
  third=$!
  run teaching --processes $(((processes - 3) / 2)) --only seed=1 \
    --only treebank=de-treebanks,de-taught,en-treebanks,en-taught,nl-treebanks,nl-taught,de-taught-joint,de-rewritten,de-grammar,de-tagged,de-joint,en-rewritten,en-grammar,en-tagged,nl-rewritten,nl-grammar,nl-tagged
  wait $first $second $third
  ;;
teachers)
  bundled silver --jobs 16
  only=(--only constituents="$constituents" --only words="$words" --only seed="$seeds")
  bundled train teachers --minutes "$(share 0.7)" "${only[@]}"
  bundled parse --minutes "$(share 0.25)" "${only[@]}"
  cp "$data"/silver/*.discbracket.xz "$out"/
  ;;
students)
  only=(--only constituents="$constituents" --only seed="$seeds")
  bundled train bundled --minutes "$(share 0.94)" "${only[@]}"
  bundled pack "$out" "${only[@]}"
  ;;
seeds)
  run teaching choices --processes "$processes"
  ;;
*)
  echo "no stage $stage" >&2
  exit 2
  ;;
esac
