import { toSingleLine } from '#libs/contracts';

/** Most file systems accept names of at most this many bytes of UTF-8. */
const maxBytes = 255;

/**
 * Invisible characters that change how a name reads: `report<RLO>fdp.exe` would be shown as `reportexe.pdf`. The zero-width joiner and
 * non-joiner stay, because emoji and some scripts need them.
 */
const invisible = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
/** Device names, which Windows does not accept as file names, whatever follows the first dot. */
const device = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=$|\.)/i;

/**
 * The name for screens and downloads: without folders and deceptive characters, at most 255 bytes. A short extension is kept. `file` if nothing
 * visible is left.
 */
export function fileNameOf(sent: string): string {
  const last = sent.split(/[\\/]/).at(-1)!;
  const shown = toSingleLine(last.normalize('NFC').replace(invisible, '')).replace(/\s+/g, ' ');
  // Shortening can leave a dot or a blank at the end.
  const name = withoutEdges(shortened(withoutEdges(shown).replace(device, '_$1')));
  const isSeen = (character: string) => !'\u200c\u200d\ufe0f'.includes(character);
  return [...name].some(isSeen) ? name : 'file';
}

/** Windows drops dots and blanks at the end. A name that begins with dots is hidden or means a folder. */
function withoutEdges(name: string): string {
  const isEdge = (at: number) => name[at] === '.' || name[at] === ' ';
  let [start, end] = [0, name.length];
  while (start < end && isEdge(start)) start += 1;
  while (end > start && isEdge(end - 1)) end -= 1;
  return name.slice(start, end);
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && Buffer.byteLength(name.slice(dot)) <= 20 ? name.slice(dot) : '';
  const room = maxBytes - Buffer.byteLength(extension);
  let kept = '';
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter('en').segment(name.slice(0, name.length - extension.length))) {
    bytes += Buffer.byteLength(segment);
    if (bytes > room) break;
    kept += segment;
  }
  return kept.trimEnd() + extension;
}
