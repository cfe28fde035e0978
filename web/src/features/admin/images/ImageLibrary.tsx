import { useEffect, useId, useReducer, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Image } from '#libs/contracts';
import { Picture } from '../../../components/Picture.js';
import { Pager } from '../../../workspace/Pager.js';
import { pageCount } from '../../../workspace/paging.js';
import { useQuery } from '../../../workspace/query.js';
import { Failure } from '../../../workspace/Failure.js';
import { SearchField } from '../../../workspace/SearchField.js';
import { ImageDetails } from './ImageDetails.js';

const pageSize = 12;
const deletedMessage = 'Image is deleted';

interface ImageLibraryProps {
  /** Id of the image in the field. */
  chosen: string | undefined;
  choose(image: Image): void;
  /** Called when the dialog closes, with or without a choice. */
  close(): void;
}

/** A dialog that opens when it is rendered. Stop rendering it when `close` is called. */
export function ImageLibrary({ chosen, choose, close }: ImageLibraryProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { images, search, searchFor, pager } = useImageSearch();
  const [selected, setSelected] = useState(chosen);
  const selectedImage = useSelectedImage(selected, images.data);
  /** A toast would be hidden behind the dialog. */
  const [status, announce] = useReducer(nextStatus, { text: '', count: 0 });
  useEffect(() => dialog.current?.showModal(), []);
  // The focused button disappeared with the details of the deleted image.
  useEffect(() => {
    if (status.text === deletedMessage)
      dialog.current?.querySelector<HTMLInputElement>('input[type="search"]')?.focus();
  }, [status]);

  function select(id: string): void {
    setSelected(id);
    announce('');
  }
  function chooseAndClose(image: Image): void {
    choose(image);
    dialog.current?.close();
  }
  return createPortal(
    <dialog
      className="dialog library"
      ref={dialog}
      aria-labelledby={titleId}
      // React bubbles the close event of the nested dialog that confirms a deletion.
      onClose={({ target, currentTarget }) => target === currentTarget && close()}
    >
      <h2 id={titleId}>Images</h2>
      <SearchField value={search} placeholder="Name or description" change={searchFor} />
      <p className="library__status" role="status">
        <span key={status.count}>{status.text}</span>
      </p>
      <div className="library__columns">
        <div className="library__list" aria-busy={images.loading}>
          <Failure query={images} />
          {images.data?.length === 0 && <NoImages search={search} />}
          <ImageRadioButtons
            images={images.data ?? []}
            selected={selected}
            select={select}
            choose={chooseAndClose}
          />
          {pager.pages > 1 && <Pager label="images" list={pager} />}
        </div>
        {selected && (
          <ImageDetails
            key={selected}
            id={selected}
            onDescriptionSaved={() => announce('Description is saved')}
            onDeleted={() => {
              announce(deletedMessage);
              setSelected(undefined);
            }}
          />
        )}
      </div>
      <p className="buttons">
        <button className="button button--quiet" type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
        <button
          className="button"
          type="button"
          disabled={!selectedImage}
          onClick={() => selectedImage && chooseAndClose(selectedImage)}
        >
          Use this image
        </button>
      </p>
    </dialog>,
    document.body,
  );
}

function useImageSearch() {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const images = useQuery('GET /images', { query: { limit: pageSize, page, search: search || undefined } });
  const pages = pageCount(images.total ?? 0, pageSize);
  // The last image of the last page was deleted.
  if (!images.loading && images.total !== undefined && page > pages) setPage(pages);
  function searchFor(text: string): void {
    setSearch(text);
    setPage(1);
  }
  const pager = { page, pages, size: pageSize, sizes: [], go: setPage, resize: () => undefined };
  return { images, search, searchFor, pager };
}

/** The image may not be among those found, so it is also read by its id. `ImageDetails` runs the same query; both share one request. */
function useSelectedImage(id: string | undefined, found: readonly Image[] = []): Image | undefined {
  const { data, problem } = useQuery('GET /images/:id', id ? { params: { id } } : null);
  return problem ? undefined : [...found, ...(data ? [data] : [])].find(({ _id }) => _id === id);
}

/** `count` is the element's key: screen readers announce only changes, so a repeated message has to be a new element. */
const nextStatus = ({ count }: { count: number }, text: string) => ({ text, count: count + 1 });

function NoImages({ search }: { search: string }) {
  return (
    <p className="library__none">
      {search ? `No images match ‘${search}’.` : 'No images yet. Upload one in any image field.'}
    </p>
  );
}

interface ImageRadioButtonsProps {
  images: readonly Image[];
  selected: string | undefined;
  select(id: string): void;
  choose(image: Image): void;
}

/** Radio buttons, so that the arrow keys change the selection. */
function ImageRadioButtons({ images, selected, select, choose }: ImageRadioButtonsProps) {
  const name = useId();
  if (images.length === 0) return null;
  return (
    <div className="library__pictures" role="radiogroup" aria-label="Uploaded images">
      {images.map((image) => (
        <label className="library__picture" key={image._id} onDoubleClick={() => choose(image)}>
          <input
            className="visually-hidden"
            type="radio"
            name={name}
            value={image._id}
            checked={image._id === selected}
            onChange={() => select(image._id)}
          />
          <span className="library__thumb">
            <Picture src={image.address} alt="" width={120} height={90} />
          </span>
          <span className="library__name">{image.name}</span>
        </label>
      ))}
    </div>
  );
}
