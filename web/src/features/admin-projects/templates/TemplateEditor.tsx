import '../admin-projects.css';
import { type ComponentType, type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { ProjectTemplate } from '#libs/contracts';
import { Field, TextAreaField } from '../../../components/Field.js';
import { FormProblem } from '../../../components/FormProblem.js';
import { Empty } from '../../../workspace/Empty.js';
import { LeaveDialog } from '../../../workspace/LeaveDialog.js';
import { useLeaveGuard } from '../../../workspace/leave-guard.js';
import { Loaded } from '../../../workspace/Loaded.js';
import { useQuery } from '../../../workspace/query.js';
import { useTabTitle } from '../../../lib/tab-title.js';
import { DraftOffer } from '../../../workspace/DraftOffer.js';
import { Questions } from './Questions.js';
import { Steps } from './Steps.js';
import { suggestedTemplate } from './suggested-template.js';
import { TemplateConflict } from './TemplateConflict.js';
import { type TemplateForm, useTemplateForm } from './template-form.js';
import { TemplatePreview } from './TemplatePreview.js';

type Frame = ComponentType<{ title?: string; lead?: ReactNode; children: ReactNode }>;

/** `Frame` is `AdminScreen`, passed in because features do not import each other. */
export function TemplateEditor({ Frame }: { Frame: Frame }) {
  const { id = '' } = useParams();
  const query = useQuery('GET /project-template/:id', { params: { id } });
  // While another template loads, the query still has the data of the previous one.
  const template = query.data?._id === id ? query.data : undefined;
  if (template) return <Editor key={id} template={template} Frame={Frame} />;
  const missing = (
    <Empty
      title="Package not found"
      action={
        <Link className="button" to="/admin/project-templates">
          All project templates
        </Link>
      }
    >
      It may have been deleted. Only packages that you sell get a template.
    </Empty>
  );
  return (
    <Frame>
      <Loaded query={{ ...query, data: undefined }} missing={missing}>
        {() => null}
      </Loaded>
    </Frame>
  );
}

function Editor({ template, Frame }: { template: ProjectTemplate; Frame: Frame }) {
  const form = useTemplateForm(template);
  const [showsFields, setShowsFields] = useState(false);
  // The fields stay, even if all that was typed is deleted again.
  if (!showsFields && !isNewAndEmpty(form)) setShowsFields(true);
  const leaving = useLeaveGuard(form.unsaved);
  const { packageName } = template;
  useTabTitle(`Project template: ${packageName}`);
  return (
    <Frame title={packageName} lead={versionsText(form.base)}>
      {form.offeredDraft && <DraftOffer draft={form.offeredDraft} />}
      {form.conflict && <TemplateConflict conflict={form.conflict} saving={form.saving} />}
      <div className="editor editor--preview template" hidden={Boolean(form.conflict)}>
        <form
          className="form template__form"
          method="post"
          aria-label={`Template of ${packageName}`}
          {...form.formProps}
        >
          {showsFields ? (
            <Fields form={form} />
          ) : (
            <EmptyTemplate form={form} begin={() => setShowsFields(true)} />
          )}
        </form>
        <TemplatePreview values={form.values} />
      </div>
      <LeaveDialog leaving={leaving} keepsDraft={!form.offeredDraft} />
    </Frame>
  );
}

function versionsText({ olderProjects, version, onOffer }: ProjectTemplate): string {
  const sentences = [
    !onOffer && 'This package is no longer available.',
    version === 0
      ? 'Nothing is set up yet: work on new projects begins right after payment, without questions.'
      : 'Changes apply to new projects. Projects that have begun keep their questions.',
    olderProjects === 1 && 'One open project began with an earlier version and keeps it.',
    olderProjects > 1 && `${olderProjects} open projects began with an earlier version and keep it.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

const isNewAndEmpty = ({ base, values }: TemplateForm) =>
  base.version === 0 &&
  values.questions.length === 0 &&
  values.checklist.length === 0 &&
  !values.introduction &&
  !values.welcome &&
  !values.deliveryDays;

function EmptyTemplate({ form, begin }: { form: TemplateForm; begin(): void }) {
  return (
    <Empty
      title="What do you need to know before you begin?"
      action={
        <>
          <button className="button" type="button" onClick={() => form.change(suggestedTemplate())}>
            Start with our suggestion
          </button>
          <button className="button button--quiet" type="button" onClick={begin}>
            Start from scratch
          </button>
        </>
      }
    >
      Ask your questions in a brief, which the customer fills in right after paying. Add the steps of your
      work as a checklist, and say how long it takes. Our suggestion is made for an SEO audit; you can change
      everything.
    </Empty>
  );
}

function Fields({ form }: { form: TemplateForm }) {
  const { values, change, errors } = form;
  return (
    <>
      <section className="template__part" aria-labelledby="template-time">
        <h2 id="template-time">Welcome and delivery time</h2>
        <Field
          name="deliveryDays"
          label="Delivery time in days"
          hint="Calendar days from the complete brief to the due date. Leave it empty for no due date."
          inputMode="numeric"
          autoComplete="off"
          dir="ltr"
          maxLength={3}
          value={values.deliveryDays}
          error={errors.deliveryDays}
          onChange={({ target }) => change({ deliveryDays: target.value })}
        />
        <TextAreaField
          name="welcome"
          label="Welcome message (optional)"
          hint="The first message of each new project."
          rows={4}
          maxLength={5_000}
          value={values.welcome}
          error={errors.welcome}
          onChange={({ target }) => change({ welcome: target.value })}
        />
        <TextAreaField
          name="introduction"
          label="Introduction to the brief (optional)"
          hint="Shown above the questions."
          rows={3}
          maxLength={2_000}
          value={values.introduction}
          error={errors.introduction}
          onChange={({ target }) => change({ introduction: target.value })}
        />
      </section>
      <Questions form={form} />
      <Steps form={form} />
      <div className="template__save">
        <FormProblem problem={form.problem} />
        <div className="buttons">
          <button className="button" type="submit" aria-disabled={form.saving}>
            {form.saving ? 'Saving' : 'Save template'}
          </button>
          {form.unsaved && <span className="record-form__unsaved">Not saved yet</span>}
        </div>
      </div>
    </>
  );
}
