/** "D:20260101120000+01'00'" of PDF 1.7, 7.9.4 as ISO 8601; undefined when it is no date. */
export function isoOfPdfDate(text: string): string | undefined {
  const match = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|Z)?/.exec(text)
  if (match === null) return undefined
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', sign, zoneHour = '00', zoneMinute = '00'] = match
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}${sign === undefined ? 'Z' : `${sign}${zoneHour}:${zoneMinute}`}`
  return Number.isNaN(Date.parse(iso)) ? undefined : iso
}
