import { useEffect, useState } from 'react';
import type { InvoiceSettings } from '#libs/contracts';
import { fetchFile } from '../../workspace/download.js';
import { useIsWide } from '../../workspace/wide.js';

const debounceMs = 500;

/** Links to an example invoice with the settings as typed. Also shows it beside the form, if there is room and the browser shows PDFs. */
export function InvoicePreview({ settings }: { settings: InvoiceSettings }) {
  const isWide = useIsWide();
  const { url, fault } = useExample(JSON.stringify(withPlaceholders(settings)));
  const hasFrame = isWide && navigator.pdfViewerEnabled;
  return (
    <section className="preview" aria-label="Preview">
      <div className="preview__head">
        <h2>Preview</h2>
        {url && (
          <a href={url} target="_blank" rel="noopener">
            Open the example invoice<span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        )}
      </div>
      <p className="field__hint" role="status">
        {fault}
      </p>
      {hasFrame && (
        <div className="invoice-preview">
          {/* A new frame for each file: another address in the same frame would add an entry to the browser's history. */}
          {url && <iframe key={url} title="Example invoice" src={`${url}#toolbar=0&navpanes=0&view=FitH`} />}
        </div>
      )}
    </section>
  );
}

/** Placeholders for empty required fields, so that there is a preview from the start. */
function withPlaceholders(settings: InvoiceSettings): InvoiceSettings {
  const { name, addressLine1, city, countryCode } = settings;
  return {
    ...settings,
    name: name.trim() || 'Your registered name',
    addressLine1: addressLine1.trim() || 'Street and number',
    city: city.trim() || 'City',
    countryCode: countryCode || 'US',
  };
}

/** The object URL of the newest example. `fault` says why the last update failed. */
function useExample(settingsJson: string): { url: string | undefined; fault: string } {
  const [url, setUrl] = useState<string>();
  const [fault, setFault] = useState('');
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const request = { body: JSON.parse(settingsJson) as InvoiceSettings, signal: controller.signal };
      void fetchFile('POST /invoice-settings/preview', request).then((answer) => {
        if (controller.signal.aborted) return;
        if (answer.ok) setUrl(URL.createObjectURL(answer.value));
        setFault(answer.ok ? '' : faultText(answer.problem));
      });
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [settingsJson]);
  useEffect(() => () => (url ? URL.revokeObjectURL(url) : undefined), [url]);
  return { url, fault };
}

const faultText = ({ code, sentence }: { code?: string; sentence: string }) =>
  code === 'INVALID_INPUT' ? 'The preview is updated as soon as all fields are valid.' : sentence;
