// The time zones that the browser knows, and the one that is set, should it know it under another name.

export function zoneOptions(current: string): readonly (readonly [string, string])[] {
  const zones = Intl.supportedValuesOf('timeZone')
  return (zones.includes(current) ? zones : [current, ...zones]).map((zone) => [zone, zone])
}
