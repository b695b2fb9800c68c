"""Four words for a server's key: short enough to be read from one screen to another across a room. Pure.

The words stand for 36 bits of the key's scrypt. To make another key with the same words takes as many tries as there
are such numbers, each of some 50 ms: a hundred years of one machine, for one card game.
"""

from __future__ import annotations

import hashlib
from typing import Final

_WORDS: Final = """
acorn album amber angel ankle apple apron arrow aspen atlas attic bacon badge bagel baker bamboo banana banjo barley
barn basil basket beach bead bean bear beaver beetle bell belt bench berry bike bird biscuit blanket blossom boat
bonnet book boot bottle bowl box branch bread brick bridge broom brush bubble bucket bugle bus butter button cabin
cactus cake camel camera canal candle candy canoe canyon carbon card cargo carpet carrot castle cat cave cedar cello
chain chair chalk cheese cherry chess chest chick chimney circus clam clay cliff clock cloud clover coach coast cobra
cocoa coffee coin comet cookie copper coral cork cotton cow crab cradle crane crayon cream creek cricket crow crown
cup curtain cymbal daisy dancer dawn deer delta desert desk dice dingo dinner dish dog dolphin donkey door dove dragon
drawer dress drum duck dune eagle earth easel echo eel egg elbow elk elm ember engine evening fabric falcon farm
feather fence fern ferry fiddle field fig finger fire fish flag flame flask flint flood flower flute foam fog forest
fork fossil fox frog fruit funnel galaxy garage garden garlic gate gem giant ginger giraffe glass globe glove goat
gold goose grape grass gravel gravy guitar gull hammer harbor harp hat hawk hazel heart hedge helmet hen heron hill
hippo honey hood hook horse hotel house husky ice igloo ink iris iron island ivory ivy jacket jam jar jasmine jelly
jet jewel jigsaw juice jungle kayak kettle key king kite kitten kiwi knee knight koala lace ladder lagoon lake lamb
lamp lantern laurel lava lawn leaf lemon lens letter lily lime linen lion lizard llama lobster lock lotus lumber lynx
magnet mango maple marble market mask meadow medal melon metal milk mill mint mirror mitten monkey moon moose mosaic
moss moth motor mountain mouse muffin museum music mustard napkin nectar needle nest net night north novel nurse oak
oasis ocean olive onion opal opera orange orbit orchid organ otter oven owl oyster paddle page palace palm panda
panther paper parade parcel park parrot parsley pasta path peach peanut pear pebble pelican pencil pepper piano picnic
pie pigeon pillow pilot pine pirate planet plate plaza plum pocket poem pond pony poppy potato pouch powder prairie
prince puma pumpkin puppet puzzle quail quartz queen quill quilt rabbit radar radio raft rain ranch raven reef ribbon
rice ring river road robin robot rocket roof rope rose ruby rug saddle sail salad salmon salt sand sardine satin
saturn scarf school scooter seal season shadow shark shed sheep shelf shell ship shoe shore shovel silk silver skate
sketch ski slipper smoke snail snow soap sofa soup south spark spider spinach sponge spoon spring squid stable star
statue stone stork storm stove straw stream street sugar suitcase summer sun swan sweater table tea teapot temple tent
thread throne thumb tiger timber toast tomato torch towel tower toy tractor train tree trumpet tulip tunnel turkey
turtle valley vanilla vase velvet violet violin visitor voyage wagon walnut walrus water wave whale wheat wheel
whistle willow wind window winter wolf wood wool yacht yarn yellow zebra zipper
"""
WORDS: Final = tuple(_WORDS.split())
"""512 common words that are told apart by ear. Their order is part of the protocol: people compare what they make."""

COUNT: Final = 4
_BITS: Final = 9
_SCRYPT_N: Final = 1 << 14


def key_words(key: str) -> str:
    """The words of a key (Z85 text), with blanks between them. Takes some 50 ms."""
    bits = COUNT * _BITS
    digest = hashlib.scrypt(key.encode(), salt=b"speed-lan key words", n=_SCRYPT_N, r=8, p=1, dklen=8)
    number = int.from_bytes(digest, "big") >> (len(digest) * 8 - bits)
    return " ".join(WORDS[number >> shift & (len(WORDS) - 1)] for shift in range(bits - _BITS, -1, -_BITS))
