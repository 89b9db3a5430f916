import { Badge } from './badge.tsx';

/** What a proposed defence does to the attack, and to what is harmless. */
export const DefenceBadges = ({
  recommended,
  stops,
  spares,
  words,
}: {
  recommended: boolean;
  stops: boolean;
  spares: boolean;
  /** For each of the two, where it does and where it does not. */
  words: { stops: readonly [string, string]; spares: readonly [string, string] };
}) => (
  <p className="mb-1 flex flex-wrap items-center gap-1.5">
    {recommended && <Badge tone="accent">recommended</Badge>}
    <Badge tone={stops ? 'good' : 'flag'}>{words.stops[stops ? 0 : 1]}</Badge>
    <Badge tone={spares ? 'good' : 'warn'}>{words.spares[spares ? 0 : 1]}</Badge>
  </p>
);
