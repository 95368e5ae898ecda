"""Names that look alike: a reader cannot tell them apart, however they are spelt.

The table holds the confusables of Unicode's UTS 39 that look like a letter or a digit of ASCII, or
whose capitals do.
"""

from __future__ import annotations

import unicodedata

from nomicgen.files.text_encoding import normal

_DOUBLES = {  # the characters that look like each letter or digit
    "2": "ƧϨᒿꙄꛯꝚ",
    "3": "ƷȜЗӠⳌꝪꞫ𑣊𖼻𝈆",
    "4": "Ꮞ𑢯",
    "5": "Ƽ𑢻",
    "6": "бᏮⳒ𑣕",
    "7": "𐓒𑣆𝈒",
    "8": "Ȣȣ৪੪𐌚",
    "9": "৭੧୨൭ⳊꝮ𑢬𑣌𑣖",
    "A": "ΑАᎪᗅꓮ𐊠𖽀",
    "B": "ΒВᏴᗷꓐꞴ𐊂𐊡𐌁",
    "C": "СᏟⲤꓚ𐊢𐌂𐐕𐔜𑣩𑣲🝌",
    "D": "Ꭰᗞᗪꓓ",
    "E": "ΕЕᎬ⋿ⴹꓰ𐊆𑢦𑢮",
    "F": "ϜᖴꓝꞘ𐊇𐊥𐔥𑢢𑣂𝈓",
    "G": "ԌᏀᏳꓖ",
    "H": "ΗНᎻᕼⲎꓧ𐋏",
    "J": "ͿЈᎫᒍꓙꞲ",
    "K": "ΚКᏦᛕⲔꓗ𐔘",
    "L": "ᏞᒪⳐꓡ𐐛𐔦𑢣𑢲𖼖𝈪",
    "M": "ΜϺМᎷᗰᛖⲘꓟ𐊰𐌑",
    "N": "ΝⲚꓠ𐔓",
    "O": "ΟОՕ০ଠ୦ዐⲞⵔ〇ꓳ𐊒𐊫𐐄𐓂𐔖𑓐𑢵𑣠",
    "P": "ΡРᏢᑭⲢꓑ𐊕",
    "Q": "ⵕ",
    "R": "ƦᎡᏒᖇꓣ𐒴𖼵𝈖",
    "S": "ЅՏᏕᏚꓢ𐊖𐐠𖼺",
    "T": "ΤТᎢ⊤⟙Ⲧꓔ𐊗𐊱𐌕𑢼𖼊🝨",
    "U": "Սሀᑌ∪⋃ꓴ𐓎𑢸𖽂",
    "V": "Ѵ۷Ꮩᐯⴸꓦꛟ𐔝𑢠𖼈𝈍",
    "W": "ԜᎳᏔꓪ𑣦𑣯",
    "X": "ΧХ᙭ᚷ╳ⲬⵝꓫꞳ𐊐𐊴𐌗𐌢𐔧𑣬",
    "Y": "ΥУҮᎩᎽⲨꓬ𐊲𑢤𖽃",
    "Z": "ΖᏃꓜ𐋵𑢩𑣥",
    "a": "ɑαа⍺",
    "b": "ƄЬᏏᑲᖯ",
    "c": "сᴄⲥꮯ𐐽",
    "d": "ԁᏧᑯꓒ",
    "e": "еҽ℮ꬲ",
    "f": "քẝꞙꬵ",
    "g": "ƍɡցᶃ",
    "h": "һհᏂ",
    "i": "ıɩɪιіӏᎥ⍳ꙇꭵ𑣃",
    "j": "ϳј",
    "l": "ƖǀΙІӀ۱ᛁ∣⏽Ⲓⵏꓲ𐊊𐌉𐌠𖼨",
    "n": "ոռ",
    "o": "οσоօ۵०੦૦௦౦೦ഠ൦๐໐ဝ၀ჿᴏᴑⲟꬽ𐐬𐓪𑣈𑣗",
    "p": "ρр⍴ⲣ",
    "q": "ԛգզ",
    "r": "гᴦⲅꭇꭈꮁ",
    "s": "ƽѕꜱꮪ𐑈𑣁",
    "u": "ʋυսᴜꞟꭎꭒ𐓶𑣘",
    "v": "νѵᴠ∨⋁ꮩ𑜆𑣀",
    "w": "ɯѡԝաᴡꮃ𑜊𑜎𑜏",
    "x": "×хᕁᕽ⤫⤬⨯",
    "y": "ɣʏγуүყᶌỿꭚ𑣜",
    "z": "ᴢꮓ𑣄",
}
_PLAIN = {ord(double): letter for letter, doubles in _DOUBLES.items() for double in doubles}
# Signs of ASCII that look alike; `_SMALL` is for names in small letters.
_STROKES = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "O"})
_SMALL = str.maketrans({"1": "l", "|": "l", "0": "o"})


def appearances(name: str) -> tuple[str, str]:
    """Return two texts that say how a name looks; the second one ignores case.

    If two names have the first or the second in common, they look alike. The texts are not for
    showing: that of `Quill` is `Quill`, and so is that of `QuiIl`.
    """
    # Twice: without the characters in between, NFKC may make one letter of two.
    seen = name
    for _ in range(2):
        seen = normal("NFKC", seen).translate(_PLAIN)
        seen = "".join(
            letter
            for letter in seen
            if unicodedata.category(letter) != "Cf" and not _varies(letter)
        )
    seen = " ".join(seen.split())
    return seen.translate(_STROKES).replace("rn", "m").replace(
        "vv", "w"
    ), seen.casefold().translate(_SMALL)


def _varies(letter: str) -> bool:
    """Return whether a character only chooses a form of the letter before it."""
    return "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
