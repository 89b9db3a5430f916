/** A sandbox made by `unshare`, if bubblewrap is not installed: the same view, mounted by a shell. */
import { join } from 'node:path';
import { launchArgs, quoted, sharedMemoryBytes, type Launch, type Launchable } from './sandbox-launch.ts';
import { foldersFor } from './sandbox-view.ts';

/** Where the new root is assembled; nothing is mounted from this folder. */
const root = '/sys';
const inRoot = (path: string) => quoted(join(root, path));
const devices = ['null', 'zero', 'full', 'random', 'urandom'];

/** The shell is PID 1 of its namespace: when it ends, all processes in it end. */
export function namespaces(launch: Launch, isRoot: boolean): Launchable {
  const { network } = launch;
  return {
    file: 'setpriv',
    args: [
      '--pdeathsig',
      'KILL',
      '--',
      'unshare',
      ...(isRoot ? [] : ['--user', '--map-root-user']),
      '--mount',
      '--pid',
      '--ipc',
      '--uts',
      '--cgroup',
      ...(network ? [] : ['--net']),
      '--fork',
      '--kill-child',
      '--',
      '/bin/sh',
      '-c',
      script(launch, isRoot),
      'sh',
      ...launchArgs(launch),
    ],
  };
}

function script({ view, tmpBytes, cwd, userId }: Launch, isRoot: boolean): string {
  const targets = view.mounts.map(({ target }) => target);
  const tmpfs = (path: string, options: string) =>
    `mount -t tmpfs -o nosuid,nodev,${options} tmpfs ${inRoot(path)}`;
  const becomes = isRoot ? `--reuid ${userId} --regid ${userId} --clear-groups ` : '';
  return [
    'set -e',
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    'umask 022',
    tmpfs('/', 'mode=755'),
    `mkdir -p ${['/old', '/proc', '/tmp', '/dev/shm'].map(inRoot).join(' ')}`,
    tmpfs('/tmp', `mode=1777,size=${tmpBytes}`),
    ...foldersFor(targets).map((folder) => `mkdir -p ${inRoot(folder)}`),
    ...view.links.map(({ path, to }) => `ln -s ${quoted(to)} ${inRoot(path)}`),
    ...view.mounts.flatMap(({ source, target, writable }) => [
      `if [ -d ${quoted(source)} ]; then mkdir -p ${inRoot(target)}; else touch ${inRoot(target)}; fi`,
      `mount --bind ${quoted(source)} ${inRoot(target)}`,
      ...(writable ? [] : [`mount -o remount,bind,ro ${inRoot(target)}`]),
    ]),
    `mount -t proc -o nosuid,nodev,noexec proc ${inRoot('/proc')}`,
    ...devices.flatMap((name) => [
      `touch ${inRoot(`/dev/${name}`)}`,
      `mount --bind /dev/${name} ${inRoot(`/dev/${name}`)}`,
    ]),
    `ln -s /proc/self/fd ${inRoot('/dev/fd')}`,
    ...['stdin', 'stdout', 'stderr'].map(
      (name, number) => `ln -s /proc/self/fd/${number} ${inRoot(`/dev/${name}`)}`,
    ),
    tmpfs('/dev/shm', `mode=1777,size=${sharedMemoryBytes}`),
    `cd ${quoted(root)}`,
    'pivot_root . old',
    'umount -l /old',
    'mount -o remount,bind,ro,nosuid,nodev /',
    `cd ${quoted(cwd)}`,
    'hostname sandbox',
    'set +e',
    `env -i setpriv ${becomes}--bounding-set=-all --inh-caps=-all --no-new-privs /bin/sh "$@"`,
    'exit $?',
  ].join('\n');
}
