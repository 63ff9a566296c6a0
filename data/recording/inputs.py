"""What the recorded jobs work on: photos in tours, log files and orders, all made up.

Sizes are drawn from skewed distributions, since that is where the spread of run times comes from.
A few inputs are spoilt, in the ways in which such files go wrong: a photo cut off in transfer, a
photo or file gone, a line in the orders that is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, starmap
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image

TOURS, FILES, ORDERS = 36, 90, 70

SPOILT_SHARE = 0.022
"""Of the photos that are cut off, and of the files and orders that are gone or broken."""

TOURS_WITH_A_PHOTO_GONE = 2

SCENE = (6300, 4200)
REGIONS = ("north", "east", "south", "west", "islands")


@dataclass(frozen=True)
class Inputs:
    """What there is to work on.

    Attributes
    ----------
    tours
        The numbers of each tour's photos.
    """

    folder: Path
    tours: tuple[range, ...]

    @property
    def photos(self) -> int:
        return self.tours[-1].stop


def make_inputs(folder: Path, seed: int) -> Inputs:
    """Make every input in an empty folder; one seed gives the same files.

    Takes about a minute and 400 MB.
    """
    draw = np.random.default_rng(seed)
    for name in ("photos", "tours", "files", "orders"):
        (folder / name).mkdir()
    inputs = Inputs(folder, _tours(draw))
    _photos(inputs, draw)
    for at, photos in enumerate(inputs.tours):
        names = "\n".join(f"{photo}.jpg" for photo in photos)
        (folder / "tours" / f"{at}.txt").write_text(names)
    for at, size in enumerate(_skewed(draw, FILES, 0.7e6, 1.2, 2e4, 24e6)):
        (folder / "files" / f"{at}.log").write_bytes(_log_text(draw, int(size)))
    for at, rows in enumerate(_skewed(draw, ORDERS, 40_000, 1.25, 500, 900_000)):
        _orders(draw, int(rows)).to_csv(
            folder / "orders" / f"{at}.csv", header=False, index=False, lineterminator="\n"
        )
    _spoil(inputs, draw)
    return inputs


def _skewed(
    draw: np.random.Generator, n: int, median: float, sigma: float, least: float, most: float
) -> np.ndarray:
    """Sizes of a log-normal distribution, cut at both ends."""
    return np.clip(median * np.exp(sigma * draw.standard_normal(n)), least, most)


def _tours(draw: np.random.Generator) -> tuple[range, ...]:
    ends = np.cumsum(_skewed(draw, TOURS, 7, 0.9, 2, 70).astype(int)).tolist()
    return tuple(starmap(range, pairwise([0, *ends])))


def _photos(inputs: Inputs, draw: np.random.Generator) -> None:
    """Sections of one large made-up scene, saved as a camera does."""
    scene = _scene(draw)
    pixels = _skewed(draw, inputs.photos, 1.6e6, 0.95, 0.1e6, 24e6)
    for at, area in enumerate(pixels):
        width, height = int((area * 1.5) ** 0.5), int((area / 1.5) ** 0.5)
        left, top = (int(draw.integers(0, n)) for n in (SCENE[0] - width, SCENE[1] - height))
        photo = scene.crop((left, top, left + width, top + height))
        photo.save(inputs.folder / "photos" / f"{at}.jpg", quality=95)


def _scene(draw: np.random.Generator) -> Image.Image:
    """Large shapes, small shapes and the noise of a sensor."""
    scene = Image.new("RGB", SCENE)
    for cells, share in ((20, 1.0), (300, 0.4), (2000, 0.15)):
        coarse = draw.integers(0, 256, (cells * 2 // 3, cells, 3), dtype=np.uint8)
        layer = Image.fromarray(coarse).resize(SCENE, Image.Resampling.BICUBIC)
        scene = Image.blend(scene, layer, share)
    return scene


def _log_text(draw: np.random.Generator, size: int) -> bytes:
    """Lines of a web server's log, so that there is something to compress."""
    lines = size // 60 + 1
    seconds = np.cumsum(draw.integers(0, 20, lines))
    pages = draw.zipf(1.4, lines) % 5000
    lengths = draw.integers(200, 90_000, lines)
    text = (
        f"{t:08d} GET /tours/{page}/photos/{page * 7919 % 997} 200 {length}\n"
        for t, page, length in zip(seconds, pages, lengths, strict=True)
    )
    return "".join(text).encode()[:size]


def _orders(draw: np.random.Generator, rows: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "region": draw.choice(REGIONS, rows),
            "product": np.char.add("p", (draw.zipf(1.5, rows) % 40).astype(str)),
            "units": draw.integers(1, 12, rows),
            "price": np.round(np.exp(draw.normal(3, 0.8, rows)), 2),
        }
    )


def _spoil(inputs: Inputs, draw: np.random.Generator) -> None:
    def some(n: int) -> list[int]:
        return [int(at) for at in draw.choice(n, max(1, round(n * SPOILT_SHARE)), replace=False)]

    folder = inputs.folder
    for at in some(inputs.photos):
        photo = folder / "photos" / f"{at}.jpg"
        photo.write_bytes(photo.read_bytes()[: photo.stat().st_size // 3])
    for at in draw.choice(TOURS, TOURS_WITH_A_PHOTO_GONE, replace=False):
        gone = int(draw.choice(inputs.tours[at]))
        (folder / "photos" / f"{gone}.jpg").unlink()
    for at in some(FILES):
        (folder / "files" / f"{at}.log").unlink()
    for at in some(ORDERS):
        orders = folder / "orders" / f"{at}.csv"
        lines = orders.read_text().splitlines(keepends=True)
        lines[len(lines) * 2 // 3] = "total;;;12,50\n"
        orders.write_text("".join(lines))
