"""The recorded jobs: one run of this program is one job, from its start to its end.

    python jobs.py resize --item 17 --inputs FOLDER --outputs FOLDER

Each function does real work on a real file; whatever it meets there (a photo cut off, a file gone,
a line that is no order) ends the process with a traceback and exit status 1, as in any such job.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import lzma
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from csv import reader
from pathlib import Path
from statistics import quantiles

WIDTHS = (2048, 1280, 800, 400, 160)
"""Of a photo's renditions, in pixels; none is made larger than the photo."""

LZMA_PRESET = 4
BLOCK = 1 << 20


def resize(item: int, inputs: Path, outputs: Path) -> None:
    """A photo in each size that its pages show."""
    from PIL import Image  # here, as the other kinds should not wait for its import

    with Image.open(inputs / "photos" / f"{item}.jpg") as photo:
        photo.load()
        for width in (width for width in WIDTHS if width < photo.width):
            height = round(photo.height * width / photo.width)
            rendition = photo.resize((width, height), Image.Resampling.LANCZOS)
            rendition.save(outputs / f"{item}-{width}.jpg", quality=85)


def zip_tour(item: int, inputs: Path, outputs: Path) -> None:
    """All photos of a tour in one archive, put together in memory."""
    names = (inputs / "tours" / f"{item}.txt").read_text().split()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.write(inputs / "photos" / name, name)
    (outputs / f"{item}.zip").write_bytes(packed.getvalue())


def checksum(item: int, inputs: Path, outputs: Path) -> None:
    """A file's SHA-256, and the file compressed, as before it goes to the archive."""
    digest = hashlib.sha256()
    with (
        (inputs / "files" / f"{item}.log").open("rb") as file,
        lzma.open(outputs / f"{item}.log.xz", "wb", preset=LZMA_PRESET) as packed,
    ):
        while block := file.read(BLOCK):
            digest.update(block)
            packed.write(block)
    (outputs / f"{item}.sha256").write_text(digest.hexdigest())


def report(item: int, inputs: Path, outputs: Path) -> None:
    """Sales of each region and product, and the usual and the large order of each region."""
    with (inputs / "orders" / f"{item}.csv").open(newline="") as file:
        orders = [
            (region, product, int(units), float(price))
            for region, product, units, price in reader(file)
        ]
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE orders (region TEXT, product TEXT, units INT, price REAL)")
    database.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", orders)
    lines = [*_sales(database), *_percentiles(database)]
    database.close()
    (outputs / f"{item}.txt").write_text("\n".join(lines))


def _sales(database: sqlite3.Connection) -> Iterator[str]:
    sales = database.execute(
        "SELECT region, product, count(*), sum(units * price) AS sales FROM orders"
        " GROUP BY region, product ORDER BY sales DESC"
    )
    for region, product, count, value in sales:
        yield f"{region} {product}: {count} orders, {value:.2f}"


def _percentiles(database: sqlite3.Connection) -> Iterator[str]:
    for (region,) in database.execute("SELECT DISTINCT region FROM orders ORDER BY 1").fetchall():
        values = database.execute("SELECT units * price FROM orders WHERE region = ?", (region,))
        percent = quantiles((value for (value,) in values), n=100)
        yield f"{region}: median order {percent[49]:.2f}, 95th percentile {percent[94]:.2f}"


KINDS: dict[str, Callable[[int, Path, Path], None]] = {
    "checksum": checksum,
    "report": report,
    "resize": resize,
    "zip": zip_tour,
}


def main() -> None:
    """Run one job."""
    parser = argparse.ArgumentParser(description="Run one job.")
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("--item", type=int, required=True, help="which photo, tour, file or orders")
    parser.add_argument("--inputs", type=Path, required=True)
    parser.add_argument("--outputs", type=Path, required=True)
    job = parser.parse_args()
    KINDS[job.kind](job.item, job.inputs, job.outputs)


if __name__ == "__main__":
    main()
