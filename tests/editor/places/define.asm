// ask: rename references
.define ta‸ble, other {
        .var table = List()
        .eval ta‸ble.add(1, 2)
        .var other = 3
}
.fill tab‸le.size(), table.get(i) + oth‸er
