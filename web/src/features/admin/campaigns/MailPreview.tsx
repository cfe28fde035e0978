import { useEffect, useRef, useState } from 'react';
import type { EmailPreview } from '#libs/contracts';
import type { Answer } from '../../../lib/api.js';
import { wideMedia } from '../../../workspace/wide.js';

const debounceMs = 400;
type Layout = 'desktop' | 'phone' | 'text';
const layouts: readonly { layout: Layout; name: string }[] = [
  { layout: 'desktop', name: 'Desktop' },
  { layout: 'phone', name: 'Phone' },
  { layout: 'text', name: 'Plain text' },
];

interface MailPreviewProps {
  /** Undefined while there is nothing to render. Memoize it, because the preview is rendered again for each new function. */
  render: ((signal: AbortSignal) => Promise<Answer<EmailPreview>>) | undefined;
  hint?: string;
}

/** Rendered on the server by the code that renders the mails that are sent. */
export function MailPreview({ render, hint = '' }: MailPreviewProps) {
  const [layout, setLayout] = useState<Layout>(() => (matchMedia(wideMedia).matches ? 'desktop' : 'phone'));
  const [preview, setPreview] = useState<EmailPreview>();
  const [fault, setFault] = useState('');
  useEffect(() => {
    if (!render) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      void render(controller.signal).then((answer) => {
        if (controller.signal.aborted) return;
        if (answer.ok) setPreview(answer.value);
        setFault(answer.ok ? '' : answer.problem.sentence);
      });
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [render]);
  const shown = render && preview;
  return (
    <section className="preview" aria-label="Preview">
      <div className="preview__head">
        <h2>Preview</h2>
        <div className="segments">
          {layouts.map((one) => (
            <button
              key={one.layout}
              type="button"
              aria-pressed={layout === one.layout}
              onClick={() => setLayout(one.layout)}
            >
              {one.name}
            </button>
          ))}
        </div>
      </div>
      {shown && (
        <p className="mail-subject">
          <span>Subject:</span> {shown.subject}
        </p>
      )}
      <p className="mail-note" role="status">
        {render ? fault : hint}
      </p>
      {layout === 'text' ? (
        <pre className="mail-text" tabIndex={0} aria-label="Plain text preview">
          {shown?.text}
        </pre>
      ) : (
        <div className={`preview__window ${layout === 'phone' ? 'preview__window--phone' : 'mail-window'}`}>
          <MailFrame html={shown?.html ?? ''} />
        </div>
      )}
    </section>
  );
}

/**
 * A frame with a content security policy of its own: it forbids scripts, but allows the e-mail's inline styles, which the screen's policy forbids.
 * The frame keeps its scroll position while the text changes.
 */
function MailFrame({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    const frameDocument = frame.current?.contentDocument;
    if (!loaded || !frameDocument) return;
    const root = frameDocument.documentElement;
    const { scrollTop } = root;
    root.innerHTML = html;
    frameDocument.body.inert = true;
    root.scrollTop = scrollTop;
  }, [loaded, html]);
  return (
    <iframe
      title="E-mail preview"
      // The path dates from the time when only newsletters (letters) had a preview.
      src="/letter-frame"
      sandbox="allow-same-origin"
      tabIndex={-1}
      ref={frame}
      onLoad={() => setLoaded(true)}
    />
  );
}
