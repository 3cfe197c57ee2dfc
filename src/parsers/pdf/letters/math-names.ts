/** Names of signs in fonts of TeX that the native library does not know, each with its code in Unicode. */
const names = `
lessornotequal 2268 greaterornotequal 2269 notlessequal 2270 notgreaterequal 2271 notfollows 2281 lessornotdbleql 2268 greaterornotdbleql 2269
lessnotequal 2A87 greaternotequal 2A88 precedeornoteqvlnt 22E8 followornoteqvlnt 22E9 precedenotslnteql 2AB5 follownotslnteql 2AB6
precedenotdbleqv 2AB9 follownotdbleqv 2ABA lessnotdblequal 2A89 greaternotdblequal 2A8A notsimilar 2241 notapproxequal 2247 upslope 29F8 downslope 29F9
notsubsetoreql 228A notsupersetoreql 228B subsetornotdbleql 2ACB supersetornotdbleql 2ACC subsetnoteql 228A supersetnoteql 228B notsubseteql 2288
notsuperseteql 2289 notbar 2224 notturnstile 22AC notforces 22AE notsatisfies 22AD notforcesextra 22AF nottriangeqlright 22ED nottriangeqlleft 22EC
nottriangleleft 22EA nottriangleright 22EB notarrowleft 219A notarrowright 219B notdblarrowleft 21CD notdblarrowright 21CF notdblarrowboth 21CE
notarrowboth 21AE dividemultiply 22C7 notexistential 2204 Finv 2132 Gmir 2141 Omegainv 2127 equalorsimilar 2242 beth 2136 daleth 2138 lessdot 22D6
greaterdot 22D7 multicloseleft 22C9 multicloseright 22CA integerdivide 2216 approxorequal 224A followsorequal 227F precedesorequal 227E
archleftdown 21B6 archrightdown 21B7 epsiloninv 03F6 squaredot 22A1 squareplus 229E squaremultiply 22A0 square 25A1 squaresolid 25A0 diamondsolid 2666
clockwise 27F3 anticlockwise 27F2 harpoonleftright 21CC harpoonrightleft 21CB squareminus 229F forces 22A9 forcesbar 22AA satisfies 22A8
dblarrowheadright 21A0 dblarrowheadleft 219E dblarrowup 21C8 dblarrowdwn 21CA harpoonupright 21BE harpoondownright 21C2 harpoonupleft 21BF
harpoondownleft 21C3 arrowtailright 21A3 arrowtailleft 21A2 arrowparrleftright 21C6 arrowparrrightleft 21C4 shiftleft 21B0 shiftright 21B1
squiggleright 21DD squiggleleftright 21AD curlyleft 21AB curlyright 21AC circleequal 229C greaterorsimilar 2273 greaterorapproxeql 2A86 multimap 22B8
equalsdots 2251 defines 225C lessorsimilar 2272 lessorapproxeql 2A85 equalorless 2A95 equalorgreater 2A96 equalorprecedes 22DE equalorfollows 22DF
precedesorcurly 227C lessdblequal 2266 lessorequalslant 2A7D primereverse 2035 equaldotrightleft 2253 equaldotleftright 2252 followsorcurly 227D
greaterdblequal 2267 greaterorequalslant 2A7E squareimage 228F squareoriginal 2290 triangleright 25B7 triangleleft 25C1 trianglerightequal 22B5
triangleleftequal 22B4 star 22C6 between 226C triangledownsld 25BC trianglerightsld 25B6 triangleleftsld 25C0 triangle 25B3 trianglesolid 25B2
triangleinv 25BD ringinequal 2256 lessequalgreater 22DA greaterlessequal 22DB lessdbleqlgreater 2A8B greaterdbleqlless 2A8C Yen 00A5
arrowtripleright 21DB arrowtripleleft 21DA check 2713 nand 22BC perpcorrespond 2A5E measuredangle 2221 sphericalangle 2222 smile 2323 frown 2322
subsetdbl 22D0 supersetdbl 22D1 uniondbl 22D3 intersectiondbl 22D2 uprise 22CF downfall 22CE multiopenleft 22CB multiopenright 22CC subsetdblequal 2AC5
supersetdblequal 2AC6 difference 224F geomequivalent 224E rightanglenw 231C rightanglene 231D circleR 00AE circleS 24C8 fork 22D4 dotplus 2214
revsimilar 223D revasymptequal 22CD rightanglesw 231E rightanglese 231F maltesecross 2720 complement 2201 circlering 229A circleasterisk 229B
circleminus 2296 epsilon1 03F5 pi1 03D6 rho1 03F1 flat 266D natural 266E sharp 266F lscript 2113 dotlessj 0237 vector 20D7 diamondmath 22C4
circledivide 2298 circledot 2299 equivasymptotic 224D precedesequal 2AAF followsequal 2AB0 lessmuch 226A greatermuch 226B follows 227B
similarequal 2243 owner 220B negationslash 0338 Rfractur 211C Ifractur 2111 latticetop 22A4 unionmulti 228E turnstileleft 22A2 turnstileright 22A3
floorleft 230A floorright 230B ceilingleft 2308 ceilingright 2309 arrowbothv 2195 arrowdblbothv 21D5 wreathproduct 2240 coproduct 2A3F unionsq 2294
intersectionsq 2293 subsetsqequal 2291 supersetsqequal 2292 visiblespace 2423 pertenthousand 2031 onefitted 0031 rupiah 20A8 mapsto 21A6
hyphensuperior 002D commasuperior 002C periodsuperior 002E lhd 22B2 rhd 22B3 unlhd 22B4 unrhd 22B5 leadsto 21DD diameter 2300 permil 2030 Box 25A1
llbracket 27E6 rrbracket 27E7 iint 222C iiint 222D
`

const words = names.trim().split(/\s+/)

/** The codes of these signs, in hexadecimal, by their names. */
export const mathNames: ReadonlyMap<string, string> = new Map(words.flatMap((word, i) => (i % 2 === 0 ? [[word, words[i + 1] ?? '']] : [])))
