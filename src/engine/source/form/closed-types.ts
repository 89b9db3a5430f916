/** Types of Go, Java and Rust whose values are numbers, times and the like: never a text that somebody chose. */
const closed =
  /^(?:u?int(?:8|16|32|64)?|uintptr|rune|bool|float(?:32|64)|[ui](?:8|16|32|64|128|size)|f(?:32|64)|int|long|short|float|double|boolean|Integer|Long|Short|Float|Double|Boolean|Big(?:Integer|Decimal)|Atomic(?:Integer|Long|Boolean)|NonZero\w+|UUID|uuid\.UUID|Uuid|uuid\.Uuid|time\.(?:Duration|Time)|(?:std\.net\.|net\.|netip\.)?(?:IpAddr|Ipv[46]Addr|SocketAddr(?:V[46])?)|netip\.(?:Addr|Prefix|AddrPort)|(?:std\.time\.)?(?:Duration|Instant|SystemTime)|Local(?:Date|Time|DateTime)|YearMonth|Year|DayOfWeek|ZoneId|(?:Zoned|Offset)DateTime|(?:chrono\.)?Naive(?:Date|DateTime))$/;

/** Lists of one type, and what may hold one or none; of bytes they are texts. */
const ofMany =
  /^(?:\[\d*\]|&?(?:'\w+ )?(?:mut )?\[|(?:Vec|List|Set|Collection|Option|Optional|HashSet|Box|Arc)<)(.*?)[>\]]?$/;
const ofBytes = /^(?:u8|i8|rune)$/;

/** Whether what is declared so can be no text. */
export function isClosedType(type: string): boolean {
  let bare = type
    .replaceAll('::', '.')
    .replace(/\bjava\.(?:util|time|math|lang)\.(?:concurrent\.atomic\.)?(?=[A-Z])/g, '')
    .replace(/^[&*\s]+/, '')
    .trim();
  for (let depth = 0; depth < 3; depth++) {
    const inner = ofMany.exec(bare)?.[1]?.trim();
    if (inner === undefined || ofBytes.test(inner)) break;
    bare = inner;
  }
  return closed.test(bare);
}
