.macro Forever() {
        Forever()       // error: 40
}
        Forever()
