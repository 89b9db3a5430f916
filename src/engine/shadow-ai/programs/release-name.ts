/** What vendors add to the names of files that they release, and of helpers of their applications. */
const platform = String.raw`linux|darwin|macos|mac|apple|windows|win32|win64|win|x86_64|x64|x86|amd64|aarch64|arm64|universal`;
const filler = String.raw`unknown|pc|gnu|musl|msvc|static|user|system|latest|cu(?:da)?\d*|cpu|desktop|v?\d[\w.]*`;
const lastPart = new RegExp(`^(.+?)[-_. ](?:(${platform}|setup|installer)|(?:${filler}))$`);
const mayHaveOne = new RegExp(`[-_. ](?:${platform}|setup|installer|appimage|helper)|setup|\\.appimage$`);

/**
 * The name without the platform that it was released for, the end `.AppImage`, `Setup` or `Helper (GPU)`: `ollama` of
 * `ollama-linux-amd64`. The name itself where it has none of them: a number alone is left.
 * @param name in lower case, without `.exe`
 */
export function releaseName(name: string): string {
  if (name.length > 200 || !mayHaveOne.test(name)) return name;
  let rest = name.replace(/ helper(?: \([a-z]+\))?$/, '').replace(/\.appimage$/, '');
  let isRelease = rest !== name;
  for (let part = lastPart.exec(rest); part !== null; part = lastPart.exec(rest)) {
    rest = part[1] ?? '';
    isRelease ||= part[2] !== undefined;
  }
  const joined = rest.replace(/(?:user|system)?setup$|desktop$/, '');
  if (joined === '') return name;
  return isRelease || joined !== rest ? joined : name;
}
