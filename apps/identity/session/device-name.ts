/** The first match counts, here and in `systems`, because many user agents also name other browsers or systems. */
const browsers: readonly [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  // Most other apps that name Safari do not name a `Version/` before it.
  [/^(?=.*\bVersion\/[\d.]+ ).*\bSafari\//, 'Safari'],
];

const systems: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'a Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** For example `Firefox on Windows`. All words are from this file, so the result is safe in mails and on screens. */
export function deviceName(userAgent: string): string {
  const nameFrom = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = nameFrom(browsers);
  const system = nameFrom(systems);
  if (browser && system) return `${browser} on ${system}`;
  if (browser ?? system) return browser ?? `Unknown app on ${system}`;
  return userAgent.trim() === '' ? 'Unknown device' : 'Unknown app';
}
