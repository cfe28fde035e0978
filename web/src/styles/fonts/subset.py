"""Makes the two subsets of Bricolage Grotesque from the file in the npm package (SIL Open Font License 1.1, see OFL.txt in this folder):

    python3 web/src/styles/fonts/subset.py        # needs fonttools and brotli

`basic` has the characters of English headings. Every page preloads it, so it has to arrive with the first 14 kB that a new connection
carries. `latin-1` has the other characters of Western European languages. Both have the weights 400 to 800. To save bytes, all weights share
the kerning of weight 650, and kerning between classes of characters is left out if nobody can see it (below 6 thousandths of the type size).
"""

from pathlib import Path

from fontTools.subset import Options, Subsetter, parse_unicodes
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from fontTools.varLib.models import normalizeLocation
from fontTools.varLib.varStore import VarStoreInstancer

HERE = Path(__file__).parent
PACKAGE = HERE.parents[3] / "node_modules/@fontsource-variable/bricolage-grotesque/files"
# As in fonts.css.
RANGES = {
    "basic": "20-22,24-29,2B-3B,3F-5A,61-7A,A0,2013-2014,2018-2019,201C-201D,2026",
    "latin-1": "23,2A,3C-3E,5B-60,7B-7E,A1-FF,131,152-153,201A,201E,2022,2039-203A,20AC,2122,2190-2193,2212",
}
KERNED_AT = 650
MIN_VISIBLE_KERNING = 6


def use_one_kerning_for_all_weights(font):
    axes = font["fvar"].axes
    location = normalizeLocation(
        {"wght": KERNED_AT}, {axis.axisTag: (axis.minValue, axis.defaultValue, axis.maxValue) for axis in axes}
    )
    deltas = VarStoreInstancer(font["GDEF"].table.VarStore, axes, location)
    for lookup in font["GPOS"].table.LookupList.Lookup:
        for subtable in lookup.SubTable:
            pairs = getattr(subtable, "ExtSubTable", subtable)
            if pairs.Format == 1:
                values = [record.Value1 for group in pairs.PairSet for record in group.PairValueRecord]
            else:
                values = [record.Value1 for group in pairs.Class1Record for record in group.Class2Record]
            pairs.ValueFormat1 &= ~0x40
            for value in values:
                device = value.__dict__.pop("XAdvDevice", None)
                advance = value.XAdvance
                if device is not None:
                    advance += round(deltas[(device.StartSize << 16) + device.EndSize])
                value.XAdvance = advance if pairs.Format == 1 or abs(advance) >= MIN_VISIBLE_KERNING else 0
    font["GDEF"].table.VarStore = None
    font["GDEF"].table.Version = 0x00010000


for name, characters in RANGES.items():
    font = TTFont(PACKAGE / "bricolage-grotesque-latin-wght-normal.woff2")
    font = instantiateVariableFont(font, {"wght": (400, 800)})
    options = Options(layout_features=["kern"], name_IDs=[0], flavor="woff2")
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=parse_unicodes(characters))
    subsetter.subset(font)
    use_one_kerning_for_all_weights(font)
    font.flavor = "woff2"
    file = HERE / f"bricolage-grotesque-{name}.woff2"
    font.save(file)
    print(f"{file.name}: {file.stat().st_size} bytes")
