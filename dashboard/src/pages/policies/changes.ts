interface Snapshot {
  name: string;
  description: string;
  threshold: number;
  strictness_level: 'low' | 'medium' | 'high';
  is_template: boolean;
  policies: {
    _id: string;
    name: string;
    description: string;
    block_activities: string[];
    safe_activities: string[];
    enabled: boolean;
  }[];
}

/** A group as lines with one statement each, so that two versions can be compared line by line. */
const linesOf = ({ name, description, threshold, strictness_level, policies }: Snapshot): string[] => [
  `name: ${name}`,
  ...(description === '' ? [] : [`description: ${description}`]),
  `threshold: ${threshold}`,
  `strictness: ${strictness_level}`,
  ...policies.flatMap((policy) => [
    `${policy.name}${policy.enabled ? '' : ' (off)'}`,
    ...(policy.description === '' ? [] : [`${policy.name} · ${policy.description}`]),
    ...policy.block_activities.map((activity) => `${policy.name} · blocks: ${activity}`),
    ...policy.safe_activities.map((activity) => `${policy.name} · allows: ${activity}`),
  ]),
];

/** Lines that only `after` has, and lines that only `before` has; none for a first version. */
export function changesBetween(
  before: Snapshot | undefined,
  after: Snapshot,
): { sign: '+' | '-'; text: string }[] {
  if (before === undefined) return [];
  const [old, now] = [new Set(linesOf(before)), new Set(linesOf(after))];
  return [
    ...[...old].filter((line) => !now.has(line)).map((text) => ({ sign: '-' as const, text })),
    ...[...now].filter((line) => !old.has(line)).map((text) => ({ sign: '+' as const, text })),
  ];
}
