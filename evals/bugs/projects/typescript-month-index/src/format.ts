export function pad(value: number): string {
  return String(value).padStart(2, "0");
}

/** `2024-05-17` for a date. */
export function isoDay(date: Date): string {
  const year = date.getFullYear();
  const month = date.getMonth();
  const day = date.getDate();
  return `${year}-${pad(month)}-${pad(day)}`;
}
