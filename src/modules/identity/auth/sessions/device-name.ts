// What a program calls itself (`User-Agent`), as short as people know it. Whoever signs in chooses the header, so that
// only known names and plain words come through.

const PROGRAMS: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** `Firefox, Linux`; of other programs the first word (`curl`); null where that is none. */
export function deviceName(userAgent: string | undefined): string | null {
  const agent = (userAgent ?? '').slice(0, 500)
  const [program, system] = [PROGRAMS, SYSTEMS].map((known) => known.find(([pattern]) => pattern.test(agent))?.[1])
  const words = [program, system].filter((word) => word !== undefined)
  return words.length > 0 ? words.join(', ') : (/^[A-Za-z][\w-]{1,30}(?=\/|$)/.exec(agent)?.[0] ?? null)
}
