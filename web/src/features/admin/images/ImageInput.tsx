import './images.css';
import { type DragEvent, type RefObject, useRef, useState } from 'react';
import { type Image, uploadedImageIdIn } from '#libs/contracts';
import { Picture } from '../../../components/Picture.js';
import { takePastedFiles } from '../../../workspace/pasted-files.js';
import { ImageLibrary } from './ImageLibrary.js';
import { type Upload, type UploadState, useUpload } from './upload.js';

export type InputProps = Record<'id' | 'name' | 'value' | 'className', string> & {
  onChange(event: { target: { value: string } }): void;
};

/** What the file dialog offers; the server checks the bytes. */
const acceptedTypes = 'image/jpeg,image/png,image/webp,image/avif,image/gif,image/svg+xml';

interface ImageInputProps {
  inputProps: InputProps;
  /** Called when an upload starts and ends, because a submitted form waits for it. */
  onUploadStateChange(name: string, state: UploadState): void;
}

/** The address can be typed or pasted, or come from an upload or the library. */
export function ImageInput({ inputProps, onUploadStateChange }: ImageInputProps) {
  const picker = useRef<HTMLInputElement>(null);
  const uploadButton = useRef<HTMLButtonElement>(null);
  const [choosing, setChoosing] = useState(false);
  const [isDraggedOver, setDraggedOver] = useState(false);
  const setImage = ({ address }: Pick<Image, 'address'>) =>
    inputProps.onChange({ target: { value: address } });
  const { upload, fault, startUpload, cancelUpload } = useUpload(setImage, (state) =>
    onUploadStateChange(inputProps.name, state),
  );
  const uploadFirst = (files: FileList | null) => files?.[0] && startUpload(files[0]);

  function dragOver(event: DragEvent): void {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setDraggedOver(true);
  }
  function drop(event: DragEvent): void {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setDraggedOver(false);
    uploadFirst(event.dataTransfer.files);
  }

  const uploadedId = uploadedImageIdIn(inputProps.value);
  return (
    <>
      <div
        className={isDraggedOver ? 'image-field image-field--over' : 'image-field'}
        onDragOver={dragOver}
        onDragLeave={() => setDraggedOver(false)}
        onDrop={drop}
        onPaste={(event) => takePastedFiles(event, uploadFirst)}
      >
        <div className="image-field__preview">
          <Picture key={inputProps.value} src={inputProps.value} alt="" width={88} height={88} />
        </div>
        <div className="image-field__controls">
          <input type="text" inputMode="url" spellCheck={false} {...inputProps} />
          <p className="buttons">
            <button
              className="button button--quiet"
              type="button"
              ref={uploadButton}
              onClick={() => picker.current?.click()}
            >
              Upload image
            </button>
            <button className="button button--quiet" type="button" onClick={() => setChoosing(true)}>
              {uploadedId ? 'Describe or replace' : 'Choose from library'}
            </button>
          </p>
          <p className="image-field__hint">
            Upload, drop or paste an image, or enter an image’s web address.
          </p>
        </div>
        <input
          ref={picker}
          type="file"
          accept={acceptedTypes}
          hidden
          aria-label="Image to upload"
          onChange={({ target }) => {
            uploadFirst(target.files);
            // Allows choosing the same file again after a failure.
            target.value = '';
          }}
        />
        {upload && <Progress upload={upload} cancel={cancelUpload} uploadButton={uploadButton} />}
        {/* Rendered from the start, so that screen readers announce what appears in it. */}
        <p className="field__error image-field__fault" role="alert">
          {fault}
        </p>
      </div>
      {choosing && <ImageLibrary chosen={uploadedId} choose={setImage} close={() => setChoosing(false)} />}
    </>
  );
}

interface ProgressProps {
  upload: Upload;
  cancel(): void;
  uploadButton: RefObject<HTMLButtonElement | null>;
}

function Progress({ upload: { file, sent }, cancel, uploadButton }: ProgressProps) {
  function cancelAndGoBack(): void {
    cancel();
    // The button that was pressed disappears.
    uploadButton.current?.focus();
  }
  return (
    <div className="image-field__progress">
      <progress aria-label={`Upload of ${file.name}`} max={1} value={sent < 1 ? sent : undefined} />
      <span>
        {sent < 1 ? `Uploading ${file.name}, ${Math.floor(sent * 100)}%` : `Processing ${file.name}`}
      </span>
      <button className="button button--plain" type="button" onClick={cancelAndGoBack}>
        Cancel
      </button>
    </div>
  );
}
