/** The local part of an address, without a `+tag`, in capitalized words: `Ada Lovelace` for `ada.lovelace@example.com`. */
export function nameFromEmail(email: string): string {
  const [local = ''] = email.split('@');
  const [untagged = ''] = local.split('+');
  const words = untagged.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(' ') || local;
}
