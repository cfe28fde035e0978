import type { StaffProject } from '#libs/contracts';
import type { AnswerOf } from '../../lib/api.js';
import { FilterSelect } from '../../workspace/FilterSelect.js';
import { ListFilters } from '../../workspace/ListFilters.js';
import { projectStateText } from '../../workspace/projects/words.js';
import { useQuery } from '../../workspace/query.js';
import { SearchField } from '../../workspace/SearchField.js';
import { type ProjectFilter, stateChoices } from './project-filter.js';

interface ProjectFiltersProps {
  filter: ProjectFilter;
  summary: AnswerOf<'GET /staff-projects/summary'> | undefined;
  /** Shows the filter for the state, which the board does not need, because its columns are the states. */
  withState: boolean;
  /** One of the projects found. If the filter selects a customer, the project provides the customer's name. */
  anyProject: StaffProject | undefined;
}

const states = (Object.keys(stateChoices) as (keyof typeof stateChoices)[]).map(
  (choice) => [choice, choice === 'open' ? 'All open' : projectStateText(choice, 'staff').text] as const,
);

export function ProjectFilters({ filter, summary, withState, anyProject }: ProjectFiltersProps) {
  const { label, customer } = filter.values;
  // The chosen label stays a choice even if no project has it any more.
  const labels = [...new Set([...(summary?.labels ?? []), ...(label ? [label] : [])])];
  return (
    <>
      <ListFilters label="Projects" active={filter.active} clear={filter.clear}>
        <SearchField placeholder="Title, customer or number" {...filter.field('search')} />
        {withState && <FilterSelect label="State" options={states} {...filter.field('state')} />}
        <FilterSelect
          label="Person"
          options={usePersonOptions(filter.query.assignee)}
          {...filter.field('person')}
        />
        {labels.length > 0 && (
          <FilterSelect label="Label" options={labels.map((one) => [one, one])} {...filter.field('label')} />
        )}
        <label className="project-filters__flag">
          <input
            type="checkbox"
            checked={filter.values.overdue === 'true'}
            onChange={({ target }) => filter.field('overdue').change(target.checked ? 'true' : '')}
          />
          Overdue
        </label>
      </ListFilters>
      {customer && (
        <p className="project-filters__customer">
          Only projects of {anyProject?.accountId === customer ? anyProject.customerName : 'one customer'}.{' '}
          <button
            className="button button--plain"
            type="button"
            onClick={() => filter.field('customer').change('')}
          >
            Show all customers
          </button>
        </p>
      )}
    </>
  );
}

/** The chosen person stays a choice even if they are no longer staff. */
function usePersonOptions(chosen: string | undefined): (readonly [id: string, name: string])[] {
  const staff = useQuery('GET /project-staff');
  const people = [
    ['me', 'Me'] as const,
    ['nobody', 'Nobody'] as const,
    ...(staff.data ?? []).map(({ accountId, name }) => [accountId, name] as const),
  ];
  if (!chosen || people.some(([id]) => id === chosen)) return people;
  const unnamed = staff.problem ? 'One colleague' : 'One moment';
  return [...people, [chosen, staff.data ? 'Former colleague' : unnamed]];
}
