//! Work that several threads **share**.

use std::sync::Mutex;

/// Calls `work` with every item, on as many threads as there are processors.
///
/// # Panics
/// If `work` panics for any item.
pub fn for_each<T: Send>(items: Vec<T>, work: impl Fn(T) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let queue = Mutex::new(items.into_iter());
    let next = || queue.lock().expect("nothing panics here").next();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = next() {
                    work(item);
                }
            });
        }
    });
}
