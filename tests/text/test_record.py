from __future__ import annotations

import pickle
from copy import copy, deepcopy
from dataclasses import FrozenInstanceError, fields, replace

import pytest
from pydantic import TypeAdapter

from memjoin.text.record import maker, record


@record
class Place:
    name: str
    floor: int
    wing: str = "east"


@record
class Alone:
    name: str


def test_it_is_made_like_a_dataclass() -> None:
    place = Place("Tollgate", floor=2)
    assert (place.name, place.floor, place.wing) == ("Tollgate", 2, "east")
    assert place == Place("Tollgate", 2, "east") != Place("Tollgate", 2, "west")
    assert repr(place) == "Place(name='Tollgate', floor=2, wing='east')"
    assert hash(place) == hash(Place("Tollgate", 2))
    assert [field.name for field in fields(place)] == ["name", "floor", "wing"]


def test_it_cannot_be_changed_but_replaced_copied_and_pickled() -> None:
    place = Place("Tollgate", 2)
    with pytest.raises(FrozenInstanceError):
        place.floor = 3
    assert replace(place, floor=3) == Place("Tollgate", 3)
    assert pickle.loads(pickle.dumps(place)) == place == copy(place) == deepcopy(place)
    assert type(copy(place)) is Place
    assert pickle.loads(pickle.dumps(Alone("Tollgate"))) == Alone("Tollgate")


def test_it_names_what_is_missing() -> None:
    with pytest.raises(
        TypeError, match=r"Place\.__init__\(\) missing 1 required positional argument: 'floor'"
    ):
        Place("Tollgate")


def test_it_is_read_by_pydantic() -> None:
    assert TypeAdapter(Place).validate_json('{"name": "Tollgate", "floor": 2}') == Place("Tollgate", 2)


def test_what_a_maker_makes_is_what_its_class_makes() -> None:
    make = maker(Place)
    place = make("Tollgate", floor=2)
    assert type(place) is Place
    assert place == Place("Tollgate", 2) == make("Tollgate", 2, "east") != make("Tollgate", 2, "west")
    assert repr(place) == "Place(name='Tollgate', floor=2, wing='east')"
    assert hash(place) == hash(Place("Tollgate", 2))
    assert pickle.loads(pickle.dumps(place)) == copy(place) == replace(place, wing="east") == place


def test_what_a_maker_makes_cannot_be_changed() -> None:
    place = maker(Place)("Tollgate", 2)
    with pytest.raises(FrozenInstanceError):
        place.floor = 3
    with pytest.raises(FrozenInstanceError):
        del place.floor


def test_a_maker_names_what_is_missing() -> None:
    with pytest.raises(TypeError, match=r"make_Place\(\) missing 1 required positional argument: 'floor'"):
        maker(Place)("Tollgate")
