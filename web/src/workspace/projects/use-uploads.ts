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
  /**
   * Use it instead of `kept` if the files can also be changed elsewhere, such as by a colleague. Once it differs from the files of the last call of
   * `onChanged`, it replaces those.
   */
  current?: readonly ProjectFile[];
  /** Called with all uploaded files when one was added or removed. */
  onChanged?(files: ProjectFile[]): void;
}

export function useUploads({ send, kept = [], current, onChanged }: UploadsOptions): Uploads {
  const [items, setItems] = useState<readonly Upload[]>(() => (current ?? kept).map(uploadOf));
  const [queue] = useState(() => new UploadQueue(items, send, setItems));
  const [fault, setFault] = useState<string>();
  const addButton = useRef<HTMLButtonElement>(null);
  useEffect(() => () => queue.abortAll(keepSentBytes), [queue]);

  const files = filesOf(items);
  const ids = idsOf(files);
  const currentIds = current && idsOf(current);
  const reported = useRef<readonly ProjectFile[]>(files);
  const showOrReport = useEffectEvent(() => {
    const reportedIds = idsOf(reported.current);
    if (current && currentIds !== reportedIds) {
      queue.replace(reported.current, current);
      reported.current = current;
    } else if (ids !== reportedIds) {
      reported.current = files;
      onChanged?.(files);
    }
  });
  useEffect(() => showOrReport(), [ids, currentIds]);

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

const idsOf = (files: readonly ProjectFile[]): string => files.map(({ _id }) => _id).join();
