#!/usr/bin/env bash
# The stages in which the next bundled models are made on a machine with one GPU that is lent for half an hour:
#
#     bash lab/models/on_gpu.sh begin|teachers|students|pack|end|spans|seeds|self-training|self-training-end|measure DATA OUT
#
# DATA is what lab/models/prepare_training.py wrote; OUT gets what is to be taken home, as it comes. Nothing must be
# installed but PyTorch and what training needs beside it. lab/models/README.md says what each stage is for.
#
#     MINUTES=6  PROCESSES=5      minutes for the stage; trainings of the ablation beside it
#     SEEDS=1,2                   seeds of teachers and students
#     LANGUAGES=en,de,nl,is       the languages of students; without de and nl, no teachers of these are trained, and
#                                 silver data that is in DATA already is used
#     ENCODERS=bilstm,light       the encoders of students, of lab/grids/bundled.toml
#     SPELLING=plain              how students read the letters of words, and whether they have vectors, of the same grid
#     GRIDS="teaching choices"    what is trained beside all stages
#     EXPERIMENTS=lab/grids       the grids; those in DATA/grids for a rehearsal
#     TEACHERS="ends local"       how teachers find constituents: the better ones of each language parse the text
#     CHANGES="crf; vectors"      what the stage spans tries, of lab/grids/spans.toml, with commas; all without it
#     TREEBANKS=squoia_de,alpino  and on which treebanks
#     OLD=build/old/src           the commit that speeds are compared with, in the stage measure
#     LARGER="alpino:FOLDER"      larger models whose speed is measured on the dev set of a treebank
#     ITERATIONS="3 7.5 8"        minutes of the three iterations of self-training of models over MPNet
#     SILVER_TEXT=en-biology,en-recombined   the text that they parse between iterations
#     LARGE=en-large-biology      the treebank of a larger English model that learns beside the third iteration
#     WORDS=vectors|plain         whether teachers have vectors beside (lab/work/vectors)
set -uo pipefail
stage=$1 data=$2 out=$3
seeds=${SEEDS:-1,2} words=${WORDS:-vectors} teachers=${TEACHERS:-ends local}
processes=${PROCESSES:-5} experiments=${EXPERIMENTS:-lab/grids}
languages=${LANGUAGES:-en,de,nl,is} encoders=${ENCODERS:-bilstm,light} grids=${GRIDS:-teaching choices} spelling=${SPELLING:-plain}
wheels=$(printf ':%s' "$data"/wheels/*.whl)
export PYTHONPATH=src:lab$wheels PYTHONUNBUFFERED=1 TOKENIZERS_PARALLELISM=false
logs=lab/work/logs
mkdir -p "$out" $logs lab/work/results
# Cells that have results are not trained again.
cp -n lab/results/{spans,choices,teaching}.jsonl lab/work/results/ 2>/dev/null

bundled() { python3 lab/models/train_bundled.py "$1" "$data" "${@:2}" --experiments "$experiments" 2>&1; }

# Cells of grids, side by side, for so many minutes.
cells() {
  python3 -m permutree_lab run "${@:2}" --minutes "$1" --experiments "$experiments" --treebanks "$data" \
    --work lab/work --results lab/work/results --encoders lab/work/vectors --processes "$processes" --discard-models 2>&1
}

# What goes on after the call, until the machine goes back.
beside() { setsid nohup "$@" </dev/null >/dev/null 2>&1 & }

# Results, and the trees that they are about, which tests of significance need.
keep() {
  cp lab/work/results/*.jsonl "$out"/ 2>/dev/null
  [ -d lab/work/predictions ] && tar -cJf "$out/predictions.tar.xz" -C lab/work predictions
}
trap 'keep; tar -cJf "$out/logs.tar.xz" $logs 2>/dev/null' EXIT

case $stage in
begin)
  # With MPS, small trainings share the GPU instead of taking turns; where it does not work, it must not stay on.
  if command -v nvidia-cuda-mps-control >/dev/null && nvidia-cuda-mps-control -d 2>/dev/null; then
    if ! timeout 60 python3 -c 'import torch; torch.zeros(8, device="cuda").sum().item()' 2>/dev/null; then
      echo quit | nvidia-cuda-mps-control
      echo "MPS does not work here"
    fi
  fi
  [[ $languages =~ de|nl ]] && beside bash "$0" de-nl "$data" lab/work/de-nl
  beside bash "$0" ablation "$data" lab/work/ablation
  ;;
de-nl)
  rm -f lab/work/de-nl/done
  bundled train teachers --minutes "${MINUTES:-5}" --grace 100 --only constituents="${teachers// /,}" \
    --only words="$words" --only seed="$seeds" >$logs/de-nl.log
  touch lab/work/de-nl/done
  ;;
ablation)
  # shellcheck disable=SC2086 # several grids
  cells "${ABLATION:-24}" $grids >$logs/ablation.log
  ;;
teachers)
  for encoder in mpnet minilm; do
    [ -d lab/work/vectors/$encoder ] && python3 lab/models/pypi_encoders.py lab/work/vectors/$encoder --join
  done
  bundled train teachers-pretrained --minutes "${MINUTES:-5}" --only constituents="${teachers// /,}" \
    --only seed="$seeds"
  while [ -d lab/work/de-nl ] && [ ! -e lab/work/de-nl/done ]; do sleep 1; done
  cat $logs/de-nl.log
  bundled parse --minutes 2.5
  # What comes back from some machines is limited.
  for file in "$data"/silver/*.discbracket.xz; do split -b 15M -d "$file" "$out/$(basename "$file")."; done
  ;;
students)
  [[ $languages =~ en ]] && bundled train large --minutes "${MINUTES:-8}" --only treebank=en-large --only case=no --only seed=1 >$logs/large.log &
  bundled train bundled --minutes "${MINUTES:-8}" --only constituents=ends --only arrangement=once --only seed="$seeds" \
    --only encoder="$encoders" --only words="$spelling" --only treebank="${languages//,/-bundled,}-bundled"
  wait
  [ -e $logs/large.log ] && cat $logs/large.log
  bundled pack "$out" --only constituents=ends --only arrangement=once --only seed="$seeds" --only encoder="$encoders" --only words="$spelling"
  ;;
pack)
  bundled pack "$out" --only constituents=ends --only arrangement=once --only seed="$seeds" --only encoder="$encoders" --only words="$spelling"
  ;;
end)
  # The ablation is stopped, so that the machine is quiet.
  pkill -f permutree_lab
  bundled pack "$out" --grid large
  ;;
spans)
  cells "${MINUTES:-8.6}" spans --only seed="$seeds" --only treebank="${TREEBANKS:-squoia_de,alpino}" ${CHANGES:+--only "change=$CHANGES"}
  ;;
seeds)
  # shellcheck disable=SC2086
  cells "${MINUTES:-8.6}" $grids
  ;;
self-training)
  # They go on between calls; self-training-end waits for them.
  rm -f lab/work/self-training.done
  beside bash "$0" self-training-beside "$data" lab/work/self-training
  ;;
self-training-beside)
  # Models over MPNet learn from treebanks and lessons. All three parse text, learn on from that, parse it again and learn
  # on once more. Those of the second iteration are scored during the third.
  [ -e lab/work/vectors/mpnet/model.safetensors ] || python3 lab/models/pypi_encoders.py lab/work/vectors/mpnet --join
  read -r first second third <<<"${ITERATIONS:-3 7.5 8}"
  text=${SILVER_TEXT:-en-biology,en-recombined}
  one=(--only treebank=en-teacher-both --only constituents=ends --only "agreement=half; wider; case")
  two=(--only treebank=en-teacher-silver) three=(--only treebank=en-teacher-silver-again)
  # What is trained already is only scored.
  scored() {
    python3 -m permutree_lab run teachers-pretrained-again --experiments "$experiments" --treebanks "$data" --work lab/work \
      --results lab/work/results --encoders lab/work/vectors --processes 3 "$@" >>$logs/self-training-scores.log 2>&1
  }
  {
    bundled train teachers-pretrained --minutes "$first" "${one[@]}"
    bundled parse --minutes 1.5 --shards 4 --text "$text" "${one[@]}"
    bundled link teachers-pretrained en-teacher "${one[@]}"
    bundled train teachers-pretrained-again --minutes "$second" "${two[@]}"
    bundled parse --by again --minutes 1.5 --shards 4 --text "$text" "${two[@]}"
    bundled link teachers-pretrained-again en-again "${two[@]}"
    scored "${two[@]}" &
    [ -n "${LARGE:-}" ] && bundled train large --minutes "$third" --only treebank="$LARGE" --only case=yes --only seed=1 &
    bundled train teachers-pretrained-again --minutes "$third" "${three[@]}"
    wait
    scored "${three[@]}"
  } >$logs/self-training.log
  touch lab/work/self-training.done
  ;;
self-training-end)
  for _ in $(seq 1100); do [ -e lab/work/self-training.done ] && break; sleep 0.5; done
  cat $logs/self-training.log
  for file in "$data"/silver/*-again.discbracket.xz; do split -b 15M -d "$file" "$out/$(basename "$file")."; done
  ;;
measure)
  # Nothing else may run. What ONNX Runtime and pyarrow need comes along in lab/work/carried: see README.md.
  site=lab/work/carried/site
  if [ ! -d $site ]; then
    mkdir $site
    tar -C $site -xJf lab/work/carried/pyarrow.tar.xz
    python3 -m zipfile -e lab/work/carried/onnxruntime*.whl $site
    xz -dkf lab/work/carried/corpus.jsonl.xz
  fi
  export PYTHONPATH=src:lab/benchmarks:$site$wheels
  python3 lab/benchmarks/corpora.py run lab/work/carried/corpus.jsonl lab/work/corpora --jobs ${JOBS:-1 2 4 8 16} \
    --gpu-jobs ${GPU_JOBS:-1 4} --nodes --shard-size 200KB --json "$out/corpora.json"
  python3 lab/benchmarks/gpu_speed.py --treebanks "$data" --seconds "${SECONDS_OF_SPEED:-240}" -o "$out/gpu.json" \
    ${OLD:+--old "$OLD"}
  # Folders of larger models, if there are any: TREEBANK:FOLDER.
  for one in ${LARGER:-}; do
    python3 lab/benchmarks/gpu_speed.py --treebanks "$data" --seconds 60 --parts speed --sentences 20000 --rounds 5 \
      --treebank "${one%%:*}" --model "${one#*:}" -o "$out/gpu-$(basename "${one#*:}").json"
  done
  ;;
*)
  echo "no stage $stage" >&2
  exit 2
  ;;
esac
