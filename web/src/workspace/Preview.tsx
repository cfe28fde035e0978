import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import type { SectionName } from '#libs/content-model';
import { type Site, SiteContext, usePageData } from '../lib/site.js';
import { useIsWide } from './wide.js';

interface PreviewProps {
  section: SectionName;
  /** Replaces the stored record with the same id, or is added to the others. */
  record: { _id: string };
  /** Selector of the element to scroll to. */
  selector: string;
  children: ReactNode;
}

/** Is next to the form if there is room. Otherwise, it is below the form, and closed at first. */
export function Preview(props: PreviewProps) {
  const [open, setOpen] = useState(false);
  if (useIsWide()) return <PreviewFrame {...props} />;
  return (
    <details className="preview-below fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Show preview</summary>
      {open && <PreviewFrame {...props} phoneFirst />}
    </details>
  );
}

interface PreviewFrameProps extends PreviewProps {
  phoneFirst?: boolean;
}

/** Shows the unsaved values. The page is in an inert iframe, so that it has the layout of a desktop's or a phone's window, and its own ids. */
function PreviewFrame({ section, record, selector, children, phoneFirst = false }: PreviewFrameProps) {
  const [body, setBody] = useState<HTMLElement>();
  const [phone, setPhone] = useState(phoneFirst);
  const data = usePageData();
  const siteState = useMemo(() => {
    const records = ((data.site as Record<string, { _id: string }[]>)[section] ?? []).slice();
    const place = records.findIndex(({ _id }) => _id === record._id);
    records[place < 0 ? records.length : place] = record;
    return {
      data: { ...data, site: { ...data.site, [section]: records } as Site },
      refresh: () => undefined,
    };
  }, [data, section, record]);
  return (
    <section className="preview" aria-label="Preview">
      <div className="preview__head">
        <h2>Preview</h2>
        <div className="segments">
          <button type="button" aria-pressed={!phone} onClick={() => setPhone(false)}>
            Desktop
          </button>
          <button type="button" aria-pressed={phone} onClick={() => setPhone(true)}>
            Phone
          </button>
        </div>
      </div>
      <div className={phone ? 'preview__window preview__window--phone' : 'preview__window'}>
        <iframe
          title="How visitors will see it"
          tabIndex={-1}
          srcDoc="<!doctype html><html lang='en'><body inert></body></html>"
          onLoad={({ currentTarget }) => setBody(currentTarget.contentDocument?.body)}
        />
      </div>
      {body &&
        createPortal(
          <SiteContext value={siteState}>
            <Suspense>
              {children}
              <FrameSetup body={body} selector={selector} />
            </Suspense>
          </SiteContext>,
          body,
        )}
    </section>
  );
}

function FrameSetup({ body, selector }: { body: HTMLElement; selector: string }) {
  useEffect(() => {
    const { ownerDocument: frameDocument } = body;
    const scrollToElement = () => {
      const view = frameDocument.defaultView;
      const element = body.querySelector(selector);
      if (view && element) view.scrollTo(0, view.scrollY + element.getBoundingClientRect().top);
    };
    for (const link of document.head.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
      if (!frameDocument.head.querySelector(`link[href="${link.getAttribute('href')}"]`))
        frameDocument.head.append(link.cloneNode());
    }
    // Loading and typing move the content, so the frame scrolls to the element again until the person scrolls.
    const sizes = new ResizeObserver(scrollToElement);
    sizes.observe(body);
    const stop = () => sizes.disconnect();
    for (const type of ['wheel', 'touchmove'])
      frameDocument.addEventListener(type, stop, { once: true, passive: true });
    return stop;
  }, [body, selector]);
  return null;
}
