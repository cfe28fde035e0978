import './projects.css';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Glyph, Icon } from '../../components/Icon.js';
import { takePastedFiles } from '../pasted-files.js';
import { isUnderWay, type Upload } from './upload-queue.js';
import type { Uploads } from './use-uploads.js';
import { fileKind, fileSize } from './words.js';

const paperclip =
  'M20 11.5l-8.2 8.2a5 5 0 0 1-7-7.1l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7l-8.4 8.4a1.7 1.7 0 0 1-2.4-2.4l7.6-7.5';

interface UploadListProps {
  uploads: Uploads;
  label: string;
}

export function UploadList({ uploads, label }: UploadListProps) {
  const { items, fault, addButton } = uploads;
  const list = useRef<HTMLUListElement>(null);
  return (
    <>
      {items.length > 0 && (
        <ul className="uploads" aria-label={label} ref={list} tabIndex={-1}>
          {items.map((item) => (
            <li className="upload" key={item.key}>
              <Row
                item={item}
                retry={() => {
                  // The focused button will be gone.
                  list.current?.focus();
                  uploads.retry(item.key);
                }}
                remove={() => {
                  // The focused button will be gone, and the list, too, if this is the only item.
                  (items.length > 1 ? list : addButton).current?.focus();
                  uploads.remove(item.key);
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <div role="status">{fault && <p className="field__error">{fault}</p>}</div>
    </>
  );
}

function Row({ item, retry, remove }: { item: Upload; retry(): void; remove(): void }) {
  const { name, bytes, state, sent, fault } = item;
  const percent = Math.round(sent * 100);
  return (
    <>
      <span className="file-kind" aria-hidden="true">
        {fileKind(name)}
      </span>
      <span className="upload__what">
        <span className="upload__name">{name}</span>
        <span className={fault ? 'upload__note field__error' : 'upload__note'}>
          {fault ?? stateText(state, bytes, percent)}
        </span>
        {(state === 'sending' || state === 'paused') && (
          <progress max={100} value={percent} aria-label={`Upload of ${name}`} />
        )}
      </span>
      {state === 'failed' && (
        <button className="button button--plain" type="button" onClick={retry}>
          Try again<span className="visually-hidden">: {name}</span>
        </button>
      )}
      <button className="upload__remove" type="button" onClick={remove}>
        <Icon name="close" />
        <span className="visually-hidden">
          {isUnderWay(item) ? 'Cancel upload of' : 'Remove'} {name}
        </span>
      </button>
    </>
  );
}

function stateText(state: Upload['state'], bytes: number, percent: number): string {
  if (state === 'waiting') return `Waiting, ${fileSize(bytes)}`;
  if (state === 'paused') return 'No connection. The upload will continue automatically.';
  return state === 'sending' ? `${percent}% of ${fileSize(bytes)}` : fileSize(bytes);
}

interface PickFilesProps {
  uploads: Pick<Uploads, 'add' | 'addButton'>;
  /** For moving the focus to the button. */
  id?: string;
}

export function PickFiles({ uploads: { add, addButton }, id }: PickFilesProps) {
  const input = useRef<HTMLInputElement>(null);
  const ownId = useId();
  return (
    <>
      <button
        className="button button--plain pick-files"
        type="button"
        id={id}
        ref={addButton}
        // The composer shrinks when it loses the focus, which would move this button away before the click.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => input.current?.click()}
      >
        <Glyph path={paperclip} />
        Add files
      </button>
      <input
        className="visually-hidden"
        id={`${ownId}-files`}
        ref={input}
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ target }) => {
          add(target.files ?? []);
          // So that the same file can be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}

interface DropAreaProps {
  className?: string;
  hidden?: boolean;
  uploads: Pick<Uploads, 'add'>;
  children: ReactNode;
}

/** Takes files that are dragged here, or pasted into a field inside. */
export function DropArea({ className = '', hidden = false, uploads, children }: DropAreaProps) {
  const [over, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  function onDragOver(event: DragEvent): void {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(true);
  }
  function onDragLeave({ currentTarget, relatedTarget }: DragEvent): void {
    if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
  }
  function onDrop(event: DragEvent): void {
    setOver(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    uploads.add(event.dataTransfer.files);
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={`drop-area ${over ? 'drop-area--over' : ''} ${className}`}
      hidden={hidden}
      {...{ onDragOver, onDragLeave, onDrop }}
      onPaste={(event) => takePastedFiles(event, uploads.add)}
    >
      {children}
      {over && (
        <p className="drop-area__hint" aria-hidden="true">
          Drop files to add them
        </p>
      )}
    </div>
  );
}
