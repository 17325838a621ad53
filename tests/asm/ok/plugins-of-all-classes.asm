// Every plugin that is built in, by the name of its class, and every modifier.
.plugin "se.triad.kickass.CruncherPlugins"
.plugin "se.booze.kickass.CruncherPlugins"
.plugin "se.triad.kickass.exomizer.ExomizerArchive"
.plugin "tscrunch.kickass.CruncherPlugins"
.plugin "tscrunch.kickass.TS"
.plugin "se.triad.kickass.exomizer.MemExomizer"
.plugin "se.triad.kickass.exomizer.ForwardMemExomizer"
.plugin "se.triad.kickass.exomizer.BackwardMemExomizer"
.plugin "se.triad.kickass.exomizer.LevelExomizer"
.plugin "se.triad.kickass.exomizer.RawExomizer"
.plugin "se.booze.byteboozer.ByteBoozer"
.plugin "se.booze.byteboozer.B2"
.plugin "se.booze.byteboozer.B2Exe"
.plugin "se.booze.deltapacker.DeltaPacker"
.macro Data() {
        .pc = $4000
        .fill 40, i / 4
}
.pc = $2000
.modify ByteBoozer() { Data() }
.pc = $2100
.modify B2() { Data() }
.pc = $2200
.modify MemExomizer(false, true) { Data() }
.pc = $2300
.modify ForwardMemExomizer() { Data() }
.pc = $2400
.modify BackwardMemExomizer() { Data() }
.pc = $2500
.modify LevelExomizer(true, false, false) { Data() }
.pc = $2600
.modify RawExomizer(false, true, false, 16) { Data() }
.pc = $2700
.modify DeltaPacker() { Data() }
.pc = $2800
.modify TS() { Data() }
.pc = $2900
.modify B2exe($4000) { Data() }
