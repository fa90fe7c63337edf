//! What schedulers of clusters want: a script to submit, or a job file.

use crate::arguments::EngineChoice;
use clap::ValueEnum as _;
use ludens_arena::{TaskPlan, shell_word};
use std::path::Path;

/// A scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Scheduler {
    /// A script for `hq submit`
    #[value(name = "hyperqueue")]
    HyperQueue,
    /// A script for `sbatch`
    Slurm,
    /// An indexed job for `kubectl apply`
    Kubernetes,
    /// A script for GNU parallel, on one machine or several
    Parallel,
}

impl Scheduler {
    /// The command that starts what was written.
    pub(crate) fn submit(self, script: &Path) -> String {
        let path = shell_word(&script.display().to_string());
        match self {
            Scheduler::HyperQueue | Scheduler::Parallel => format!("sh {path}"),
            Scheduler::Slurm => format!("sbatch {path}"),
            Scheduler::Kubernetes => format!("kubectl apply -f {path}"),
        }
    }
}

/// What a script is made of.
pub(crate) struct Script<'s> {
    pub(crate) plan: &'s TaskPlan,
    /// Where the plan is.
    pub(crate) path: &'s Path,
    /// The experiment's file.
    pub(crate) file: &'s Path,
    /// The folder for the records.
    pub(crate) folder: &'s Path,
    pub(crate) threads: usize,
    pub(crate) engine: EngineChoice,
    pub(crate) gpu: bool,
    pub(crate) image: &'s str,
}

impl Script<'_> {
    /// The name of the file, and its text.
    pub(crate) fn write(&self, scheduler: Scheduler) -> (String, String) {
        let name = self.plan.name();
        match scheduler {
            Scheduler::HyperQueue => (format!("hyperqueue-{name}.sh"), self.hyperqueue()),
            Scheduler::Slurm => (format!("slurm-{name}.sh"), self.slurm()),
            Scheduler::Kubernetes => (format!("kubernetes-{name}.yaml"), self.kubernetes()),
            Scheduler::Parallel => (format!("parallel-{name}.sh"), self.parallel()),
        }
    }

    fn last(&self) -> usize {
        self.plan.tasks.len() - 1
    }

    /// What the file is, for people who find it.
    fn about(&self) -> String {
        let (tasks, experiment) = (self.plan.tasks.len(), &self.plan.experiment);
        format!(
            "# The {tasks} tasks of plan {} of {experiment}, the longest first. Written by `ludens experiment plan`.\n",
            self.plan.name()
        )
    }

    /// The arguments of a task, whose index comes from the scheduler.
    fn args(&self) -> Vec<String> {
        let path = |path: &Path| path.display().to_string();
        let mut args = vec!["experiment".to_owned(), "run".into(), path(self.file), "--out".into(), path(self.folder)];
        args.extend(["--plan".into(), path(self.path), "--threads".into(), self.threads.to_string()]);
        if self.engine != EngineChoice::Auto {
            let name = self.engine.to_possible_value().map(|value| value.get_name().to_owned());
            args.extend(["--engine".to_owned()].into_iter().chain(name));
        }
        args
    }

    /// The command of a task for a shell.
    fn command(&self) -> String {
        let args: Vec<String> = self.args().iter().map(|arg| shell_word(arg)).collect();
        format!("\"${{LUDENS:-ludens}}\" {}", args.join(" "))
    }

    fn hyperqueue(&self) -> String {
        let gpu = if self.gpu { " --resource gpus/nvidia=1" } else { "" };
        let (name, logs) = (shell_word(&self.plan.experiment), self.log("hyperqueue-%{JOB_ID}-%{TASK_ID}"));
        format!(
            "#!/bin/sh\n{}# A task that loses its worker is started again, and goes on where it stopped.\n\
             exec hq submit --name {name} --array 0-{} --cpus {}{gpu} --crash-limit 100 --stdout none --stderr {logs} \\\n  \
             -- {}\n",
            self.about(),
            self.last(),
            self.threads,
            self.command()
        )
    }

    fn slurm(&self) -> String {
        let gpu = if self.gpu { "#SBATCH --gpus-per-task=1\n#SBATCH --ntasks=1\n" } else { "" };
        format!(
            "#!/bin/sh\n{}#SBATCH --job-name={}\n#SBATCH --array=0-{}\n#SBATCH --cpus-per-task={}\n{gpu}\
             # A task that loses its node is started again, and goes on where it stopped.\n\
             #SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --output={}\nexec {}\n",
            self.about(),
            self.plan.experiment,
            self.last(),
            self.threads,
            self.log("slurm-%A-%a"),
            self.command()
        )
    }

    fn parallel(&self) -> String {
        let log = self.log("parallel");
        format!(
            "#!/bin/sh\n{}# Run it again to go on: tasks that are complete are skipped. JOBS says how many run at once.\n\
             seq 0 {} | parallel --jobs \"${{JOBS:-100%}}\" --joblog {log} --resume-failed {} --task {{}}\n",
            self.about(),
            self.last(),
            shell_word(&self.command())
        )
    }

    fn kubernetes(&self) -> String {
        // A string in quotes is the same in JSON and YAML.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let args: Vec<String> = self.args().iter().map(|arg| format!("            - {}\n", quoted(arg))).collect();
        let gpu = if self.gpu { "              nvidia.com/gpu: \"1\"\n" } else { "" };
        let (count, threads) = (self.plan.tasks.len(), self.threads);
        let name = label(&format!("{}-{}", self.plan.experiment, self.plan.name()));
        format!(
            "{}# The folder with the experiment, and its records, is the volume \"ludens\".\n\
             apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {name}\nspec:\n  completionMode: Indexed\n  \
             completions: {count}\n  parallelism: {count}\n\
             \x20 # A task that loses its node is started again, and goes on where it stopped.\n  \
             backoffLimitPerIndex: 100\n  template:\n    spec:\n      restartPolicy: Never\n      containers:\n        - \
             name: ludens\n          image: {}\n          workingDir: /work\n          args:\n{}          resources:\n            \
             requests:\n              cpu: \"{threads}\"\n            limits:\n              cpu: \"{threads}\"\n{gpu}          \
             volumeMounts:\n            - name: work\n              mountPath: /work\n      volumes:\n        - name: work\n          \
             persistentVolumeClaim:\n            claimName: ludens\n",
            self.about(),
            quoted(self.image),
            args.concat(),
        )
    }

    /// Where a scheduler writes what tasks say.
    fn log(&self, name: &str) -> String {
        shell_word(&self.folder.join(format!("{name}.log")).display().to_string())
    }
}

/// A name as Kubernetes allows it: small letters, digits and dashes, at most 63.
fn label(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let start = name.len().saturating_sub(63);
    name[start..].trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_arena::{CellId, Games, Task};

    fn written(scheduler: Scheduler, gpu: bool) -> String {
        let games = vec![Games { cell: CellId(1), from: 0, to: 5 }];
        let tasks = vec![Task { seconds: 2.0, games }; 12];
        let plan = TaskPlan { experiment: "My Test".into(), seed: 1, tasks };
        let [path, file, folder] = ["out/plan.json", "a b.toml", "out"].map(Path::new);
        let (engine, image) = (EngineChoice::Machine, "ludens:1");
        Script { plan: &plan, path, file, folder, threads: 2, engine, gpu, image }.write(scheduler).1
    }

    #[test]
    fn every_scheduler_gets_its_words() {
        let task = "experiment run 'a b.toml' --out out --plan out/plan.json --threads 2 --engine machine";
        for (scheduler, words) in [
            (
                Scheduler::HyperQueue,
                &["hq submit --name 'My Test' --array 0-11 --cpus 2 --resource gpus/nvidia=1", task][..],
            ),
            (Scheduler::Slurm, &["#SBATCH --array=0-11\n#SBATCH --cpus-per-task=2\n#SBATCH --gpus-per-task=1", task]),
            (Scheduler::Parallel, &["seq 0 11 | parallel", "--task {}"]),
            (
                Scheduler::Kubernetes,
                &["completions: 12\n", "nvidia.com/gpu: \"1\"", "- \"a b.toml\"\n", "image: \"ludens:1\""],
            ),
        ] {
            let text = written(scheduler, true);
            for word in words {
                assert!(text.contains(word), "{scheduler:?}: {word} is not in {text}");
            }
        }
        assert!(!written(Scheduler::Slurm, false).contains("gpu"));
    }

    #[test]
    fn names_for_kubernetes_are_plain() {
        assert_eq!(label("My Test-3f"), "my-test-3f");
        assert_eq!(label(&"x".repeat(99)).len(), 63);
    }
}
