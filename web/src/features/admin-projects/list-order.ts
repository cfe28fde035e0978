/** The list is unchanged if `to` is not a place in it. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const result = [...list];
  const [item] = result.splice(from, 1);
  if (item === undefined || to < 0 || to >= list.length) return [...list];
  result.splice(to, 0, item);
  return result;
}
