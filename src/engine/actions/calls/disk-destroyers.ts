/** Which commands wipe, format or partition a disk: by flags and verbs, since most of these programs also only show. */
import { type Command, has } from './shell-command.ts';

type Wipes = (command: Command) => boolean;

/** Devices, and no regular file. */
export const device = /^(?:of=)?\/dev\/(?!null$|zero$|stdout$|stderr$|tty)/;

const operands = (rest: readonly string[]) => rest.filter((word) => !word.startsWith('-'));
const lowered = (rest: readonly string[]) => rest.map((word) => word.toLowerCase());
const verbIn =
  (shape: RegExp, among = 3): Wipes =>
  ({ rest }) =>
    operands(lowered(rest))
      .slice(0, among)
      .some((word) => shape.test(word));

/** What a program of partitions is told to do, on its line or by what it reads. */
const partitionVerb =
  /^(?:mk(?:label|table|part|fs)\w*|rm|rescue|resizepart|clean|create|delete|format|[dngow])$/i;
const isTold = ({ rest, input = '' }: Command) =>
  [...rest, ...input.split(/\s+/)].some((word) => partitionVerb.test(word));

/** `fdisk /dev/sda` opens the disk to be partitioned; `-l` shows it, as `print` does. */
const partitions: Wipes = (command) => {
  const { rest } = command;
  const shows =
    has(rest, '-l', '-s', '-d', '-V', '-x', '--list', '--dump', '--verify', '--version') ||
    rest.some((word) => /^(?:print|p|list|version|help|unit|align-check)$/.test(word));
  return operands(rest).length > 0 && (!shows || isTold(command));
};

/** PowerShell's own: an argument is a parameter or what one takes. */
const cmdlets: Wipes = () => true;

const byProgram: readonly (readonly [names: string, wipes: Wipes])[] = [
  ['dd dcfldd', ({ rest }) => rest.some((word) => word.startsWith('of=') && device.test(word))],
  // -n only tries: of mke2fs a small letter, of XFS and btrfs a capital one or the long name.
  [
    'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mke2fs mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs mkswap newfs',
    ({ name, rest }) =>
      operands(rest).length > 0 &&
      !has(rest, '-V', '-N', '--no-act', '--dry-run') &&
      !(has(rest, '-n') && /^(?:mke2fs|mkfs\.ext\d)$/.test(name)),
  ],
  // Without what to erase it lists.
  ['wipefs', ({ rest }) => has(rest, '-a', '-o', '--all', '--offset', '-f') && !has(rest, '-n', '--no-act')],
  [
    'sgdisk',
    ({ rest }) =>
      has(rest, '-o', '-Z', '-z', '-d', '-n', '-g', '-G', '-l') ||
      rest.some((word) =>
        /^--(?:clear|zap|zap-all|delete|new|mbrtogpt|load-backup|randomize-guids)\b/.test(word),
      ),
  ],
  ['fdisk parted sfdisk cfdisk gdisk', partitions],
  [
    'diskpart',
    ({ rest, input = '' }) =>
      /\b(?:clean|format|delete)\b/i.test(`${rest.join(' ')} ${input}`) ||
      rest.some((word) => /^\/s$/i.test(word)),
  ],
  ['format format.com', ({ rest }) => rest.some((word) => /^[a-z]:/i.test(word)) && !rest.includes('/?')],
  [
    'diskutil',
    verbIn(/^(?:erase\w*|partitiondisk|reformat|zerodisk|randomdisk|secureerase|delete\w*|mergepartitions)$/),
  ],
  ['cryptsetup', verbIn(/^(?:erase|luks(?:erase|format|killslot|removekey)|reencrypt)$/, 1)],
  ['blkdiscard', ({ rest }) => operands(rest).length > 0],
  [
    'hdparm',
    ({ rest }) => rest.some((word) => /^--(?:security-erase|trim-sector|write-sector|sanitize)/.test(word)),
  ],
  ['nvme', verbIn(/^(?:format|sanitize|delete-ns|write-zeroes)$/, 1)],
  ['badblocks', ({ rest }) => has(rest, '-w')],
  ['mdadm', ({ rest }) => has(rest, '--zero-superblock')],
  ['zpool', verbIn(/^(?:destroy|labelclear)$/, 1)],
  ['lvremove vgremove pvremove', ({ rest }) => operands(rest).length > 0 && !has(rest, '-t', '--test')],
  ['shred', ({ rest }) => operands(rest).some((word) => device.test(word))],
  [
    'cp tee',
    ({ name, rest }) => operands(name === 'cp' ? rest.slice(-1) : rest).some((word) => device.test(word)),
  ],
  ['format-volume clear-disk initialize-disk remove-partition set-partition', cmdlets],
  ['cipher', ({ rest }) => rest.some((word) => /^\/w\b/i.test(word))],
];

const wipers = new Map(
  byProgram.flatMap(([names, wipes]) => names.split(' ').map((name) => [name, wipes] as const)),
);

/** Whether the command, which is no request for help and no trial, leaves nothing of what a disk or volume holds. */
export const wipesDisk = (command: Command): boolean => wipers.get(command.name)?.(command) === true;
