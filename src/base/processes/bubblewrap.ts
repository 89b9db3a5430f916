/** A sandbox made by bubblewrap (`bwrap`). */
import { launchArgs, sharedMemoryBytes, type Launch, type Launchable } from './sandbox-launch.ts';
import { foldersFor } from './sandbox-view.ts';

/**
 * As root the sandbox is created with root's rights, so that every mount is readable, and the program runs under an
 * unused user id; else in a user namespace.
 */
export function bubblewrap(launch: Launch, isRoot: boolean): Launchable {
  const { view, network, tmpBytes, cwd } = launch;
  const id = String(launch.userId);
  return {
    file: 'bwrap',
    args: [
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--unshare-cgroup-try',
      ...(network ? [] : ['--unshare-net']),
      ...(isRoot ? [] : ['--unshare-user', '--disable-userns', '--uid', '65534', '--gid', '65534']),
      '--die-with-parent',
      '--hostname',
      'sandbox',
      '--cap-drop',
      'ALL',
      ...(isRoot ? ['SETUID', 'SETGID', 'SETPCAP'].flatMap((name) => ['--cap-add', `CAP_${name}`]) : []),
      '--perms',
      '1777',
      '--size',
      String(tmpBytes),
      '--tmpfs',
      '/tmp',
      ...foldersFor(view.mounts.map(({ target }) => target)).flatMap((path) => [
        '--perms',
        '0755',
        '--dir',
        path,
      ]),
      ...view.links.flatMap(({ path, to }) => ['--symlink', to, path]),
      ...view.mounts.flatMap(({ source, target, writable }) => [
        writable ? '--bind' : '--ro-bind',
        source,
        target,
      ]),
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--perms',
      '1777',
      '--size',
      String(sharedMemoryBytes),
      '--tmpfs',
      '/dev/shm',
      // Both are tmpfs without a size limit.
      '--remount-ro',
      '/dev',
      '--remount-ro',
      '/',
      '--chdir',
      cwd,
      '--clearenv',
      '--',
      ...(isRoot
        ? ['/usr/bin/setpriv', '--reuid', id, '--regid', id, '--clear-groups']
        : ['/usr/bin/setpriv']),
      '--bounding-set=-all',
      '--inh-caps=-all',
      '--no-new-privs',
      '/bin/sh',
      ...launchArgs(launch),
    ],
  };
}
