import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { fileLimits, type ProjectFile } from '#libs/contracts';
import { keepSentBytes } from './upload.js';
import { filesOf, isUnderWay, type SendFile, type Upload, uploadOf, UploadQueue } from './upload-queue.js';

export interface Uploads extends Pick<UploadQueue, 'remove' | 'retry'> {
  items: readonly Upload[];
  add(files: Iterable<File>): void;
  /** Call this once the message or deliverable with the current `items` has been sent. */
  clear(): void;
  /** The files of the `items` that have been uploaded. */
  files: readonly ProjectFile[];
  underWay: boolean;
  fault: string | undefined;
  /** Gets the focus when the only remaining file is removed. */
  addButton: RefObject<HTMLButtonElement | null>;
}

interface UploadsOptions {
  /** Only the function of the first render is used. */
  send: SendFile;
  /** Files that were uploaded before, such as those of a draft. Only those of the first render are used. */
  kept?: readonly ProjectFile[];
  /** Called with all uploaded files when one was added or removed. */
  onChanged?(files: ProjectFile[]): void;
}

export function useUploads({ send, kept = [], onChanged }: UploadsOptions): Uploads {
  const [items, setItems] = useState<readonly Upload[]>(() => kept.map(uploadOf));
  const [queue] = useState(() => new UploadQueue(items, send, setItems));
  const [fault, setFault] = useState<string>();
  const addButton = useRef<HTMLButtonElement>(null);
  useEffect(() => () => queue.abortAll(keepSentBytes), [queue]);

  const files = filesOf(items);
  const ids = files.map(({ _id }) => _id).join();
  const reported = useRef(ids);
  const report = useEffectEvent(() => onChanged?.(files));
  useEffect(() => {
    if (reported.current === ids) return;
    reported.current = ids;
    report();
  }, [ids]);

  return {
    items,
    add(chosen) {
      const all = [...chosen];
      const room = Math.max(0, fileLimits.attached - items.length);
      setFault(all.length > room ? `You can add at most ${fileLimits.attached} files.` : undefined);
      queue.add(all.slice(0, room));
    },
    remove(key) {
      setFault(undefined);
      queue.remove(key);
    },
    retry: (key) => queue.retry(key),
    clear: () => queue.clear(items),
    files,
    underWay: items.some(isUnderWay),
    fault,
    addButton,
  };
}
