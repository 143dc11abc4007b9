"""``python -m permutree``, which is also what ``accelerate launch -m permutree`` and ``torchrun -m permutree`` run."""

from permutree.cli import main

if __name__ == "__main__":
    main()
