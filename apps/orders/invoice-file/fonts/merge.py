"""Makes the text font of invoices from the files of the package @fontsource/source-sans-3, one for each script (SIL Open Font
License 1.1, OFL.txt beside this). The license reserves the name 'Source', so the result has another one:

    python3 apps/orders/invoice-file/fonts/merge.py        # needs fonttools
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent
PACKAGE = HERE.parents[3] / "node_modules/@fontsource/source-sans-3/files"
SCRIPTS = ["latin", "latin-ext", "greek", "greek-ext", "cyrillic", "cyrillic-ext", "vietnamese"]
FAMILY = "Invoice Sans"


def part(script, weight):
    font = TTFont(PACKAGE / f"source-sans-3-{script}-{weight}-normal.woff")
    options = Options(layout_features=["kern"], hinting=False, notdef_outline=True)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=font.getBestCmap().keys())
    subsetter.subset(font)
    font.flavor = None
    return font


for weight, style in [(400, "Regular"), (600, "Semibold")]:
    with TemporaryDirectory() as folder:
        files = []
        for script in SCRIPTS:
            files.append(f"{folder}/{script}.ttf")
            part(script, weight).save(files[-1])
        font = Merger().merge(files)
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16):
            name = FAMILY if record.nameID in (1, 16) else f"{FAMILY} {style}"
            record.string = name.replace(" ", "-") if record.nameID == 6 else name
    font["head"].created = font["head"].modified = 0
    font.recalcTimestamp = False
    font.save(HERE / f"invoice-sans-{style.lower()}.ttf")
