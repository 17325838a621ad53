// Every parameter of a modifier, beside `modify=`.
.plugin "se.triad.kickass.CruncherPlugins"
.plugin "tscrunch.kickass.CruncherPlugins"
.segmentdef Data [start=$4000]
.segmentdef Small [start=$0820]
.segmentdef Line [segments="Small", modify="BasicUpstart", _start=$0820]
.segmentdef Bytes [segments="Data", modify="ByteBoozer", _startAddressForValidation=$8000, _useCruncherCache=true]
.segmentdef Runs [segments="Data", modify="MemExomizer", _forwardCrunching=true, _useLiterals=false]
.segmentdef Level [segments="Data", modify="LevelExomizer", _outputBlockOffsets=false]
.segmentdef Raw [segments="Data", modify="RawExomizer", _reverseOutput=false, _maximumOffsetSize=16]
.segmentdef Exe [segments="Data", modify="B2exe", _jmpAdress=$4000]
.segmentdef Crunched [segments="Data", modify="TS", _inplace=true, _sfx=false]
.segment Data
        .fill 40, i / 4
.segment Small
        rts
.segment Default
*=$1000
.segmentout [segments="Line"]
.segmentout [segments="Bytes"]
.segmentout [segments="Runs"]
.segmentout [segments="Level"]
.segmentout [segments="Raw"]
.segmentout [segments="Exe"]
.segmentout [segments="Crunched"]
