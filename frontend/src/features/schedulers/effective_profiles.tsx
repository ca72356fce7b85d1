/** What each profile really runs, defaults included: the plugins of every extension point in their order. */
import { t } from "../../app/messages";
import { own } from "../../model/own";
import type { EffectiveProfile } from "../../transport/extension_api";
import { PluginWord } from "../inspector/scheduler_word";
import styles from "./schedulers.module.css";

export function EffectiveProfiles({ profiles }: { readonly profiles: readonly EffectiveProfile[] }) {
  return (
    <details className={styles.effective}>
      <summary>{t.configuration.effective}</summary>
      {profiles.map((profile) => (
        <Profile key={profile.scheduler_name} profile={profile} />
      ))}
    </details>
  );
}

function Profile({ profile: { scheduler_name: name, plugins, weights } }: { readonly profile: EffectiveProfile }) {
  const points = Object.entries(plugins).filter(([, names]) => names.length > 0);
  return (
    <table className={styles.changes}>
      <caption>{name}</caption>
      <thead>
        <tr>
          <th scope="col">{t.configuration.points}</th>
          <th scope="col">{t.configuration.plugins}</th>
        </tr>
      </thead>
      <tbody>
        {points.map(([point, names]) => (
          <tr key={point}>
            <th scope="row">{point}</th>
            <td>
              <ul className={styles.names}>
                {names.map((plugin) => (
                  <li key={plugin}>
                    <PluginWord name={plugin} />
                    {point === "score" && ` ${t.configuration.weightOf(own(weights, plugin) ?? 1)}`}
                  </li>
                ))}
              </ul>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
