const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

export function WritingHelp() {
  const key = isApple() ? '⌘' : 'Ctrl';
  return (
    <details className="writing-help">
      <summary>Formatting help</summary>
      <dl>
        <div>
          <dt>**bold**</dt>
          <dd>
            <strong>bold</strong>
          </dd>
        </div>
        <div>
          <dt>*italic*</dt>
          <dd>
            <em>italic</em>
          </dd>
        </div>
        <div>
          <dt>- item</dt>
          <dd>a list; “1. item” for a numbered one</dd>
        </div>
        <div>
          <dt>## Heading</dt>
          <dd>a heading</dd>
        </div>
        <div>
          <dt>[text](https://…)</dt>
          <dd>a link</dd>
        </div>
        <div>
          <dt>{key} + Enter</dt>
          <dd>sends</dd>
        </div>
      </dl>
      <p>Drag files here or paste a screenshot to add them.</p>
    </details>
  );
}
