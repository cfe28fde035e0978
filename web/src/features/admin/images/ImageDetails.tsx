import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { findSection } from '#libs/content-model';
import type { Image, ImageUse } from '#libs/contracts';
import { Picture } from '../../../components/Picture.js';
import { FormProblem } from '../../../components/FormProblem.js';
import { callApi, type Problem } from '../../../lib/api.js';
import { useRefreshSite } from '../../../lib/site.js';
import { showToast } from '../../../lib/toasts.js';
import { ConfirmDialog } from '../../../workspace/ConfirmDialog.js';
import { focusWhenShown } from '../../../workspace/focus-content.js';
import { Loaded } from '../../../workspace/Loaded.js';
import { useQuery, useSave } from '../../../workspace/query.js';
import { acceptOwn } from '../../../workspace/use-conflict.js';

interface ImageDetailsProps {
  id: string;
  onDescriptionSaved(): void;
  onDeleted(): void;
}

export function ImageDetails({ id, ...callbacks }: ImageDetailsProps) {
  const query = useQuery('GET /images/:id', { params: { id } });
  return (
    <section className="library__details" aria-label="Selected image">
      <Loaded query={query} missing={<p className="library__none">This image no longer exists.</p>}>
        {(image) => <LoadedImage image={image} {...callbacks} />}
      </Loaded>
    </section>
  );
}

function LoadedImage({
  image,
  onDescriptionSaved,
  onDeleted,
}: Omit<ImageDetailsProps, 'id'> & { image: Image }) {
  const [deleting, setDeleting] = useState(false);
  const { name, address, width, height, uses } = image;
  return (
    <>
      <div className="library__large">
        <Picture src={address} alt="" width={280} height={200} />
      </div>
      <p className="library__facts">
        <strong>{name}</strong>
        <span>
          {width} × {height} pixels
        </span>
      </p>
      <DescriptionField image={image} onDescriptionSaved={onDescriptionSaved} />
      <p className="library__facts">
        {uses.length === 0
          ? 'Not used on the site. It may still be used in a campaign: campaigns aren’t checked.'
          : `Used in ${usesText(uses)}.`}
      </p>
      {uses.length === 0 && (
        <p className="buttons">
          <button className="button button--quiet" type="button" onClick={() => setDeleting(true)}>
            Delete
          </button>
        </p>
      )}
      {deleting && <DeleteDialog image={image} onDeleted={onDeleted} close={() => setDeleting(false)} />}
    </>
  );
}

/**
 * Saved by its own button, or when the person goes on, and not with the form behind the image library: the description applies wherever the image is
 * used.
 */
function DescriptionField({
  image,
  onDescriptionSaved,
}: Pick<ImageDetailsProps, 'onDescriptionSaved'> & { image: Image }) {
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const refreshSite = useRefreshSite();
  const [alt, setAlt] = useState(image.alt);
  /** What the person began with, or has seen in a refusal: a colleague's newer description must not be replaced unseen. */
  const [base, setBase] = useState(image);
  const isChanged = alt.trim() !== base.alt;
  async function put(): Promise<Problem<Image> | undefined> {
    const { _id: imageId, name, version: ifVersion } = base;
    const answer = await callApi('PUT /images/:id', {
      params: { id: imageId },
      body: { name, alt },
      ifVersion,
    }).then(acceptOwn((current) => current.alt === alt.trim()));
    setBase((before) => (answer.ok ? answer.value : answer.problem.current) ?? before);
    if (!answer.ok) return answer.problem;
    refreshSite();
    return undefined;
  }
  const { save, saving, problem } = useSave(async () => (await put()) ?? onDescriptionSaved);
  const saveOnLeaving = useEffectEvent(async () => {
    if (!isChanged || saving) return;
    const refusal = problem?.status === 412 ? problem : await put();
    // A deleted image needs no description.
    if (refusal && refusal.status !== 404)
      showToast(`The description is not saved. ${refusal.sentence}`, 'problem');
  });
  useEffect(() => () => void saveOnLeaving(), []);

  return (
    <div className="field">
      <label htmlFor={id}>Description</label>
      <textarea
        className="field__input"
        id={id}
        ref={input}
        rows={2}
        maxLength={500}
        value={alt}
        aria-describedby={`${id}-help`}
        onChange={({ target }) => setAlt(target.value.replace(/\n+/g, ' '))}
      />
      <p className="field__help" id={`${id}-help`}>
        Read aloud by screen readers. Leave empty if the image is only decorative.
      </p>
      <FormProblem problem={problem} />
      {problem?.status === 412 && <p className="field__help">It is now: ‘{base.alt}’</p>}
      {isChanged && (
        <p className="buttons">
          <button
            className="button button--quiet"
            type="button"
            aria-disabled={saving}
            onClick={() => void save().then(() => focusWhenShown(input))}
          >
            {saving ? 'Saving' : 'Save description'}
          </button>
        </p>
      )}
    </div>
  );
}

function DeleteDialog({ image, onDeleted, close }: { image: Image; onDeleted(): void; close(): void }) {
  return (
    <ConfirmDialog
      title="Delete this image?"
      actionLabel="Delete image"
      close={close}
      confirm={async () => {
        const answer = await callApi('DELETE /images/:id', { params: { id: image._id } });
        // An image that is already gone counts as deleted.
        if (!answer.ok && answer.problem.status !== 404) return answer.problem;
        onDeleted();
        return undefined;
      }}
    >
      <p>
        ‘{image.name}’ will be permanently deleted. Links to it will stop working. Campaigns that contain it
        will no longer show it, including those already sent.
      </p>
    </ConfirmDialog>
  );
}

/** For example ‘banner: Image, service: Icon’. */
function usesText(uses: readonly ImageUse[]): string {
  const named = uses.map(({ section, field }) => {
    const found = findSection(section);
    return found ? `${found.labels.one}: ${found.fields[field]?.label ?? field}` : section;
  });
  return [...new Set(named)].join(', ');
}
