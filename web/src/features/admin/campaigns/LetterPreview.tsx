import { useEffect, useRef, useState } from 'react';
import type { CampaignPreview } from '#libs/contracts';
import { callApi } from '../../../lib/api.js';

/** The preview is updated this long after the last key press. */
const debounceMs = 400;
const wide = '(width >= 1100px)';
type Form = 'desktop' | 'phone' | 'text';
const forms: readonly { form: Form; name: string }[] = [
  { form: 'desktop', name: 'Desktop' },
  { form: 'phone', name: 'Phone' },
  { form: 'text', name: 'Plain text' },
];

export interface LetterWords {
  subject: string;
  preheader: string;
  body: string;
}

/** The newsletter as it would arrive, rendered by the code that renders the mails. */
export function LetterPreview({ subject, preheader, body }: LetterWords) {
  const [form, setForm] = useState<Form>(() => (matchMedia(wide).matches ? 'desktop' : 'phone'));
  const [preview, setPreview] = useState<CampaignPreview>();
  const [fault, setFault] = useState('');
  const isEmpty = subject.trim() === '' || body.trim() === '';
  useEffect(() => {
    if (isEmpty) return;
    const reading = new AbortController();
    const timer = setTimeout(() => {
      void callApi('POST /campaign-preview', {
        body: { subject, preheader, body },
        signal: reading.signal,
      }).then((answer) => {
        if (reading.signal.aborted) return;
        if (answer.ok) setPreview(answer.value);
        setFault(answer.ok ? '' : answer.problem.sentence);
      });
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      reading.abort();
    };
  }, [subject, preheader, body, isEmpty]);
  const shown = isEmpty ? undefined : preview;
  return (
    <section className="preview" aria-label="Preview">
      <div className="preview__head">
        <h2>Preview</h2>
        <div className="segments">
          {forms.map((one) => (
            <button
              key={one.form}
              type="button"
              aria-pressed={form === one.form}
              onClick={() => setForm(one.form)}
            >
              {one.name}
            </button>
          ))}
        </div>
      </div>
      <p className="letter-note" role="status">
        {fault || (isEmpty && 'Enter a subject and a letter to see a preview.')}
      </p>
      {form === 'text' ? (
        <pre className="letter-text" tabIndex={0} aria-label="Plain text preview">
          {shown?.text}
        </pre>
      ) : (
        <div className={`preview__window ${form === 'phone' ? 'preview__window--phone' : 'letter-window'}`}>
          <LetterFrame html={shown?.html ?? ''} />
        </div>
      )}
    </section>
  );
}

/**
 * A document of its own, whose policy runs no scripts and allows the newsletter's inline styles, which this
 * page's policy forbids. It keeps its scroll position while the text changes.
 */
function LetterFrame({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    const page = frame.current?.contentDocument;
    if (!loaded || !page) return;
    const root = page.documentElement;
    const place = root.scrollTop;
    root.innerHTML = html;
    page.body.inert = true;
    root.scrollTop = place;
  }, [loaded, html]);
  return (
    <iframe
      title="E-mail preview"
      src="/letter-frame"
      sandbox="allow-same-origin"
      tabIndex={-1}
      ref={frame}
      onLoad={() => setLoaded(true)}
    />
  );
}
