import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOfShell } from './shell-files.ts';

const shown = (line: string, folder?: string) => {
  const { read, changed } = filesOfShell(line, folder);
  const paths = (files: typeof read) =>
    files
      .filter(({ isPlaced }) => isPlaced)
      .map(({ path }) => path)
      .join(' ');
  return `${paths(read)} > ${paths(changed)}`;
};

const lines: readonly (readonly [line: string, files: string])[] = [
  ['cd /etc && echo x > passwd', ' > /etc/passwd'],
  ['cd /etc; cd ..; cat x', '/etc/../x > '],
  ['sudo sh -c "cp /a /etc/x"', '/a > /etc/x'],
  ["perl -pi -e 's/a/b/' /etc/hosts", '/etc/hosts > /etc/hosts'],
  ["sed -n '1,5p' /etc/hosts", '/etc/hosts > '],
  ['find /etc -name x -exec cp {} /opt \\;', '/etc /etc > /opt'],
  ['find /var/log -name "*.gz" -delete', '/var/log > /var/log'],
  ['ls | xargs -I{} cp {} /etc', ' > /etc'],
  ['cat <<END > /etc/x\nhi\nEND', ' > /etc/x'],
  ['cp a $HOME/x', ' > ~/x'],
  ['cp ../a /dev/null', '../a > '],
  ['make &> /var/log/x', ' > /var/log/x'],
  ['docker cp app:/data /etc/x', ' > /etc/x'],
  ['aws s3 cp /srv/a s3://bucket/a', '/srv/a > '],
  ['scp /srv/a host:/srv/b', '/srv/a > '],
  ['tar xf /a.tar -C/opt', '/a.tar > /opt'],
  ['gzip -c /srv/a > /srv/a.gz', '/srv/a > /srv/a.gz'],
  ['gzip /srv/a', '/srv/a > /srv/a'],
  ['for f in *; do cp $f /etc/; done', ' > /etc/'],
  ['psql -f /srv/a.sql < /etc/b', '/etc/b /srv/a.sql > '],
  ['curl -d @/etc/a https://example.com', '/etc/a > '],
  ['curl -F "file=@/etc/a;type=text/plain" https://example.com', '/etc/a > '],
  ['git -C /srv/app status', '/srv/app > '],
  ['git -C /srv/app commit -m "of /etc"', ' > /srv/app'],
  ['chmod 600 /etc/key', ' > /etc/key'],
  ['cp --help /etc/x', ' > '],
  ['grep -e /etc/x -- /srv/a', '/srv/a > '],
  ['rsync -av -e "ssh -i /root/key" host:/a /srv/b', ' > /srv/b'],
  ['render /srv/a.png --output /etc/a.jpg', '/srv/a.png > /etc/a.jpg'],
  ['echo "cp a /etc/x"', ' > '],
  ['openssl req -x509 -out /etc/a.pem -keyout /etc/a.key', ' > /etc/a.pem /etc/a.key'],
  ['ffmpeg -i /srv/a.mp4 -c:v libx264 /etc/b.mp4', '/srv/a.mp4 > /etc/b.mp4'],
  ['convert /srv/a.png -resize 50% /etc/b.jpg', '/srv/a.png > /etc/b.jpg'],
  ['pg_dump app -f /var/app.sql', ' > /var/app.sql'],
  ['npm install --prefix /opt/tools left-pad', ' > /opt/tools'],
  ['pip install -r /srv/requirements.txt --target=/opt/lib', ' > /opt/lib'],
  ['ssh-keygen -t ed25519 -f /root/.ssh/id', ' > /root/.ssh/id'],
  ['7z x /srv/a.7z -o/opt/a', '/srv/a.7z > /opt/a'],
];

for (const [line, files] of lines) test(line, () => assert.equal(shown(line), files));

test('where the folder is known, names without one lie there', () => {
  assert.equal(shown('cp a b', '/etc'), '/etc/a > /etc/b');
  assert.equal(shown('cp a b'), ' > ');
});
